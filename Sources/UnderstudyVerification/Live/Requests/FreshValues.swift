/// Makes a request again with texts that the server has not seen, since it may refuse what an earlier request created.
struct FreshValues: Sendable {
  let subject: LiveOperation
  /// Different for every run.
  let run: String
  /// Whether a name of several words becomes one word, since servers restrict names more often than contracts do.
  var usesPlainNames = false

  /// The members that name what a request creates.
  private static let naming: Set<String> = [
    "name", "title", "slug", "username", "login", "email", "key", "id", "label", "code", "displayname", "filename",
    "path", "uid", "uuid", "identifier", "alias", "url", "uri", "nickname",
  ]
  private static let leafLimit = 30
  private static let depthLimit = 4

  /// The call with fresh names, and with every text fresh; none where nothing can be fresh.
  func calls(like call: LiveCall, number: Int) -> [LiveCall] {
    var calls: [LiveCall] = []
    for isNaming in [true, false] {
      guard let fresh = self.call(like: call, number: number, namesOnly: isNaming), fresh.wire != call.wire,
        !calls.contains(where: { $0.wire == fresh.wire })
      else { continue }
      calls.append(fresh)
    }
    return calls
  }

  /// A call of that kind with fresh texts, or `nil`; `takesEmpty` replaces empty texts, which may be refused as such.
  func call(like call: LiveCall, number: Int, namesOnly: Bool, takesEmpty: Bool = false) -> LiveCall? {
    self.call(like: call, namesOnly: namesOnly, takesEmpty: takesEmpty) { candidates($0, number) }
  }

  /// A call of that kind with a mark in every name, in empty ones with `takesEmpty`; `nil` if a name has no room.
  func call(like call: LiveCall, marked mark: String, takesEmpty: Bool = true) -> LiveCall? {
    self.call(like: call, namesOnly: true, takesEmpty: takesEmpty) { text in
      text.firstIndex(of: "@").map { ["\(text[..<$0])\(mark)\(text[$0...])"] } ?? [text + mark, mark]
    }
  }

  private func call(
    like call: LiveCall, namesOnly: Bool, takesEmpty: Bool = false, _ candidates: (String) -> [String]
  ) -> LiveCall? {
    guard case .value(let body, let media)? = call.draft.body else { return unusual(call, candidates("").first ?? "") }
    var best: LiveCall?
    var value = body
    for path in leaves(of: body, namesOnly: namesOnly, takesEmpty: takesEmpty) {
      guard let leaf = value[JSONPointer(path)] else { continue }
      for candidate in candidates(leaf.text) {
        let isNumber = candidate.utf8.allSatisfy { 48...57 ~= $0 } && candidate.utf8.first != 48
        guard leaf.isString || isNumber else { continue }
        let new = leaf.isString ? JSON.string(candidate) : JSON.make { $0.append(number: candidate.utf8) }
        guard let changed = value.setting(path[...], to: new),
          let fresh = self.call(call.draft.with(body: .value(changed, media)), like: call)
        else { continue }
        (value, best) = (changed, fresh)
        break
      }
    }
    return best
  }

  /// What no text has, at the end of a text of a written body.
  private static let unusualEnds = [Array((SurrogateHalves.sent + "\"").utf8), [0xFF, 0xFE, UInt8(ascii: "\"")]]

  /// A call whose body has half of a surrogate pair, or bytes that are not UTF-8, with a mark behind them.
  private func unusual(_ call: LiveCall, _ mark: String) -> LiveCall? {
    guard case .bytes(let bytes, let contentType)? = call.draft.body,
      let end = Self.unusualEnds.lazy.compactMap({ bytes.firstRange(of: $0) }).first?.upperBound
    else { return nil }
    let marked = bytes[..<(end - 1)] + mark.utf8 + bytes[(end - 1)...]
    return self.call(call.draft.with(body: .bytes(Array(marked), contentType: contentType)), like: call)
  }

  private func call(_ draft: RequestDraft, like call: LiveCall) -> LiveCall? {
    guard var fresh = subject.call(draft, call.purpose, call.label), fresh.kind == call.kind,
      fresh.violation == call.violation,
      call.violation != nil || (fresh.validated.isValid && subject.keepsFormats(draft))
    else { return nil }
    fresh.phase = call.phase
    fresh.fixture = call.fixture
    fresh.isAllowed = call.isAllowed
    fresh.hasPlainNames = usesPlainNames || call.hasPlainNames
    return fresh
  }

  /// The texts of a body, and numbers in place of names.
  private func leaves(of body: JSON, namesOnly: Bool, takesEmpty: Bool) -> [[String]] {
    var leaves: [[String]] = []
    var pending: [(value: JSON, path: [String])] = [(body, [])]
    while let (value, path) = pending.popLast(), leaves.count < Self.leafLimit {
      for member in value.distinctMembers where leaves.count < Self.leafLimit {
        let name = ItemIdentifier.plain(member.name)
        let isNaming = Self.naming.contains(name) || Self.naming.contains { name.hasSuffix($0) && $0.utf8.count > 3 }
        let isText = member.value.isString && (takesEmpty || !member.value.text.isEmpty)
        if isText || (member.value.kind == .number && isNaming) {
          if !namesOnly || isNaming { leaves.append(path + [member.name]) }
        } else if path.count < Self.depthLimit, !isReference(member.value, named: name) {
          pending.append((member.value, path + [member.name]))
        }
      }
    }
    return leaves
  }

  /// Whether an object with an id refers to an existing resource: `"kernel": {"id": 7, "name": "python"}`. `data` is
  /// the resource itself (JSON:API, Document Structure), as is an object with the name of its path.
  private func isReference(_ value: JSON, named name: String) -> Bool {
    guard value.isObject, value["id"] != nil, name != "data" else { return false }
    return !subject.operation.path.split(separator: "/").contains { segment in
      ItemIdentifier.plain(ItemIdentifier.singular(String(segment))).utf8Equals(name)
    }
  }

  /// Texts like one, with letters of the run: before an `@`, at the end, or in place of the end.
  private func candidates(_ text: String, _ number: Int) -> [String] {
    if usesPlainNames, text.contains(" ") {
      let word = String(decoding: text.utf8.filter { 65...90 ~= $0 || 97...122 ~= $0 }.map { $0 | 0x20 }, as: UTF8.self)
      return candidates(word, number) + marked(text, number)
    }
    return marked(text, number)
  }

  private func marked(_ text: String, _ number: Int) -> [String] {
    let hash = StableHash.of([subject.samples.seed, run, String(number), text])
    let mark = "u" + String(hash % 60_466_176, radix: 36)
    let cut = String(String.UnicodeScalarView(text.unicodeScalars.dropLast(mark.utf8.count)))
    if let at = text.firstIndex(of: "@") { return ["\(text[..<at])\(mark)\(text[at...])"] }
    let digits = String(hash % 100_000)
    return [text + mark, cut + mark, text + digits, String(text.prefix(max(0, text.count - digits.count))) + digits]
  }
}
