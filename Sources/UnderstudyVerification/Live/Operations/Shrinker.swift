/// Shrinks a request as long as it shows the same finding.
struct Shrinker: Sendable {
  static let limit = 20

  let subject: LiveOperation
  let known: KnownValues

  /// The smallest call for which `shows` is true; it sends the call and looks for the finding.
  func smallest(of call: LiveCall, shows: (LiveCall) async -> Bool) async -> LiveCall {
    var best = call
    var left = Self.limit
    var tried: Set<WireRequest> = [call.wire]
    var isProgress = true
    while isProgress, left > 0 {
      isProgress = false
      for draft in simpler(than: best.draft) where left > 0 {
        guard let candidate = candidate(draft, like: best), candidate.wire.weight < best.wire.weight,
          tried.insert(candidate.wire).inserted
        else { continue }
        left -= 1
        guard await shows(candidate) else { continue }
        best = candidate
        isProgress = true
        break
      }
    }
    return best
  }

  /// A smaller call of the same kind: also valid, or broken in the same place.
  private func candidate(_ draft: RequestDraft, like call: LiveCall) -> LiveCall? {
    guard var candidate = subject.call(draft, call.purpose, call.label), candidate.kind == call.kind,
      candidate.violation == call.violation, Self.emptyQueries(draft).isSubset(of: Self.emptyQueries(call.draft))
    else { return nil }
    if call.violation == nil, subject.keepsFormats(call.draft), !subject.keepsFormats(draft) { return nil }
    guard call.unusual.isEmpty || Self.keepsValues(draft, of: call.draft) else { return nil }
    (candidate.isAllowed, candidate.unusual) = (call.isAllowed, call.unusual)
    return candidate
  }

  /// Whether a draft has no other values of parameters: a simpler one is not unusual.
  private static func keepsValues(_ draft: RequestDraft, of other: RequestDraft) -> Bool {
    draft.arguments.allSatisfy { argument in
      other.index(of: argument.parameter).map {
        JSONWriter.bytes(other.arguments[$0].value) == JSONWriter.bytes(argument.value)
      } ?? false
    }
  }

  /// The parameters of the query without a value, which many servers take for absent ones.
  private static func emptyQueries(_ draft: RequestDraft) -> Set<String> {
    let empty = draft.arguments.filter { $0.parameter.location == .query && $0.value.isEmptyOnTheWire }
    return Set(empty.map(\.parameter.name))
  }

  private func simpler(than draft: RequestDraft) -> [RequestDraft] {
    var drafts: [RequestDraft] = []
    let optional = draft.arguments.filter { !$0.parameter.isRequired && $0.parameter.location != .path }
    if optional.count > 1 { drafts.append(optional.reduce(draft) { $0.setting($1.parameter, to: nil) }) }
    drafts += optional.map { draft.setting($0.parameter, to: nil) }
    if draft.body != nil { drafts.append(draft.with(body: nil)) }
    if case .value(let value, let media)? = draft.body {
      drafts += Self.simpler(than: value, depth: 0).map { draft.with(body: .value($0, media)) }
    }
    let fixed = known.known(inPathOf: draft, subject.operation)
    for argument in draft.arguments
    where argument.parameter.location != .path || !fixed.contains(argument.parameter.name) {
      drafts += Self.simpler(than: argument.value, depth: 0).map { draft.setting(argument.parameter, to: $0) }
    }
    return drafts
  }

  private static let depthLimit = 4

  /// Without members or items one by one, then with each of them simpler; short texts and small numbers.
  private static func simpler(than value: JSON, depth: Int) -> [JSON] {
    guard depth < depthLimit else { return [] }
    switch value.kind {
    case .object:
      let members = value.members.map { ($0.name, $0.value) }
      let fewer = members.indices.map { index in
        JSON.object(members.enumerated().filter { $0.offset != index }.map(\.element))
      }
      let smaller = members.indices.flatMap { index in
        simpler(than: members[index].1, depth: depth + 1).map { simpler in
          var copy = members
          copy[index].1 = simpler
          return JSON.object(copy)
        }
      }
      return fewer + smaller
    case .array:
      let elements = Array(value.elements)
      guard let first = elements.first else { return [] }
      let inner = simpler(than: first, depth: depth + 1).map { JSON.array([$0]) }
      return [[]] + (elements.count > 1 ? [.array([first])] : []) + inner
    case .string:
      let text = value.text
      let texts = [
        "", "a", String(String.UnicodeScalarView(text.unicodeScalars.prefix(text.unicodeScalars.count / 2))),
      ]
      return texts.filter { $0.utf8.count < text.utf8.count }.map { .string($0) }
    case .number: return value.text.utf8.count > 1 ? [0, 1] : []
    case .null, .true, .false: return []
    }
  }
}
