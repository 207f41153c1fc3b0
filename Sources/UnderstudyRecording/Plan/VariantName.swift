/// The name of a variant, after what differs from the default of its cell: `empty`, `withoutMatchedNick`, `statusSold`.
enum VariantName {
  /// A name of letters and digits. File systems allow 255 bytes, and a reader far fewer.
  static let limit = 48

  static func of(_ shape: AnswerShape, beside base: AnswerShape) -> String {
    if shape.mediaType != base.mediaType {
      if shape.mediaType.isEmpty { return "noBody" }
      if base.mediaType.isEmpty { return "withBody" }
      return "as" + capitalised(FileExtension.forMediaType(shape.mediaType))
    }
    guard let new = shape.body, let old = base.body else { return shape.body == nil ? "notJSON" : "asJSON" }
    let differences = differences(of: new, beside: old)
    guard let first = differences.first else { return "other" }
    let second = differences.dropFirst().first.map { capitalised($0) } ?? ""
    return shortened(differences.count == 2 ? first + second : first)
  }

  /// A name for the value that only a response's requests have: `forId9`; any value of a body may be the reason.
  static func of(_ condition: RequestMatcher.Condition) -> String {
    if condition.part == .body { return "other" }
    let name = words(condition.name)
    switch condition.test {
    // A generated id is another one in every recording.
    case .equals(let text) where VolatileText.isValue(text): return shortened("for" + name)
    case .equals(let text): return shortened("for" + name + capitalised(camel(text)))
    case .present(false): return shortened("without" + name)
    default: return shortened("for" + name)
    }
  }

  /// A name for what a client reads when it has called an operation: `afterSendChat`.
  static func after(_ operation: String) -> String { shortened("after" + words(operation)) }

  /// The differences, the most specific first.
  private static func differences(of new: BodyShape, beside old: BodyShape) -> [String] {
    let (before, after) = (old.states, new.states)
    var found: [(rank: Int, pointer: String, name: String)] = branches(of: new, beside: old)
    let chosen = found.map(\.pointer)
    let lists = Set(
      before.merging(after) { $0.union($1) }.filter { !$0.value.isDisjoint(with: [.list, .emptyList]) }.keys)
    let isOnlyList = lists.count { !$0.contains("*") } == 1
    for pointer in Set(before.keys).union(after.keys) {
      let (was, now) = (before[pointer] ?? [], after[pointer] ?? [])
      // The branch covers what is different because of it.
      if chosen.contains(where: { pointer == $0 || pointer.hasPrefix($0 + "/") }) { continue }
      // A member that is absent with its parent, or below a parent of another type, shows no difference of its own.
      let parent = parent(of: pointer)
      let types = Set((before[parent] ?? []).map(\.typeName))
      guard was != now, pointer.isEmpty || !types.isDisjoint(with: (after[parent] ?? []).map(\.typeName)) else {
        continue
      }
      let words = words(pointer)
      let list = isOnlyList || pointer.isEmpty ? "" : words
      if now.contains(.emptyList), was.contains(.list) {
        found.append((0, pointer, "empty" + list))
      } else if now.contains(.list), was.contains(.emptyList) {
        found.append((0, pointer, "filled" + list))
      } else if let value = value(in: now.subtracting(was)) {
        found.append((1, pointer, lowered(words) + capitalised(camel(value))))
      } else if now.contains(.null), !was.contains(.null) {
        found.append((2, pointer, "null" + words))
      } else if now.isEmpty {
        // In a list, an absence does not count as a difference.
        if !pointer.contains("*") { found.append((3, pointer, "without" + words)) }
      } else if was.isEmpty, pointer.hasSuffix("/*") {
        // The elements of a list that was empty: the difference of the list covers them.
        continue
      } else if was.isEmpty || was == [.null] {
        found.append((4, pointer, "with" + words))
      } else if let state = now.subtracting(was).map(\.typeName).min() {
        found.append((5, pointer, pointer.isEmpty ? state : state + words))
      }
    }
    return found.sorted { ($0.rank, $0.pointer) < ($1.rank, $1.pointer) }.map(\.name)
  }

  /// Another branch of a `oneOf`: `cat`, and below a member `petCat`.
  private static func branches(
    of new: BodyShape, beside old: BodyShape
  ) -> [(rank: Int, pointer: String, name: String)] {
    let before = old.branches
    return new.branches.compactMap { pointer, names in
      guard let was = before[pointer], let name = names.subtracting(was).min() else { return nil }
      let branch = capitalised(camel(name))
      guard !branch.isEmpty else { return nil }
      let isRoot = pointer.allSatisfy { "/*".contains($0) }
      return (-1, pointer, lowered(isRoot ? branch : words(pointer) + branch))
    }
  }

  private static func value(in states: Set<BodyShape.State>) -> String? {
    states.compactMap { if case .value(let text) = $0 { text } else { nil } }.min()
  }

  private static func parent(of pointer: String) -> String {
    pointer.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(pointer[..<$0]) } ?? ""
  }

  /// The last name of a pointer or the name itself, in words that each start with a capital: `MatchedNick`.
  private static func words(_ pointer: String) -> String {
    let name = pointer.split(separator: "/").last { $0 != "*" }.map(String.init) ?? ""
    let text = capitalised(camel(name))
    return text.isEmpty ? "Value" : text
  }

  /// Letters and digits of ASCII; what follows anything else gets a capital.
  private static func camel(_ text: String) -> String {
    var result = ""
    var startsWord = false
    for byte in text.utf8 {
      switch byte {
      case 48...57, UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        let letter = String(Unicode.Scalar(byte))
        result += startsWord ? letter.uppercased() : letter
        startsWord = false
      default: startsWord = !result.isEmpty
      }
    }
    return result
  }

  private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
  private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
  private static func shortened(_ text: String) -> String { String(text.prefix(limit)) }
}
