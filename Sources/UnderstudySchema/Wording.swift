/// Common phrases of the messages about values.
enum Wording {
  /// A value as it is spelled; long values are shortened, large ones described.
  static func quote(_ value: JSON) -> String {
    let limit = 80
    if value.isObject || value.isArray {
      // Every node takes at least two characters of text, so large values need not be written.
      let nodes = value.document.end(of: value.index) - value.index
      if nodes * 2 <= limit, case let text = JSONWriter.text(value), text.unicodeScalars.count <= limit { return text }
      return value.isObject
        ? "an object of \(count(value.count, "property"))" : "an array of \(count(value.count, "element"))"
    }
    let text = JSONWriter.text(value.isString ? start(of: value, limit) : value)
    guard text.unicodeScalars.count > limit else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 3))) + "..."
  }

  /// The first code points of a long string.
  private static func start(of string: JSON, _ limit: Int) -> JSON {
    string.document.withBytes(of: string.index) { bytes in
      // No code point takes more than four bytes.
      guard bytes.count > limit * 4 else { return string }
      let start = String(decoding: bytes.prefix(limit * 4), as: UTF8.self)
      return .string(String(String.UnicodeScalarView(start.unicodeScalars.prefix(limit))))
    }
  }

  /// A value with its type: `number 12`, `string "a"`, `null`, `array`.
  static func found(_ value: JSON) -> String {
    switch value.kind {
    case .null, .object, .array: value.kindName
    case .true, .false, .number, .string: "\(value.kindName) \(quote(value))"
    }
  }

  /// The first place, in document order, where two values of one type differ, and how; `nil` at the root itself.
  static func difference(expected: JSON, found: JSON) -> String? {
    var (expected, found) = (expected, found)
    var path = JSONPointer()
    // Each turn goes one level deeper.
    while expected.kind == found.kind {
      if expected.isObject {
        guard max(expected.count, found.count) <= comparedMembers else { return nil }
        let names = expected.members.map(\.name) + found.members.map(\.name)
        guard let name = names.first(where: { expected[$0] != found[$0] }) else { return nil }
        guard let inner = expected[name] else { return "`\(path + name)` is not expected" }
        guard let other = found[name] else { return "`\(path + name)` is missing" }
        (expected, found, path) = (inner, other, path + name)
      } else if expected.isArray {
        guard expected.count == found.count else {
          let place = path.tokens.isEmpty ? "it" : "`\(path)`"
          return "\(place) should have \(count(expected.count, "element")), not \(found.count)"
        }
        guard let (position, pair) = zip(expected.elements, found.elements).enumerated().first(where: { $1.0 != $1.1 })
        else { return nil }
        (expected, found, path) = (pair.0, pair.1, path + String(position))
      } else {
        break
      }
    }
    return path.tokens.isEmpty ? nil : "`\(path)` should be \(quote(expected)), not \(quote(found))"
  }

  /// The most members of an object to compare by name.
  private static let comparedMembers = 500

  /// A text of a schema, shortened for a message.
  static func excerpt(_ text: String) -> String { VisibleText.shortened(text, to: 300) }

  /// The most names and values to list in a message; the rest is counted.
  static let (shownNames, shownValues) = (8, 12)

  /// `a`, `a or b`, `a, b or c`.
  static func list(_ items: [String], _ conjunction: String = "or") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "nothing" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }

  /// `a, b and c`, or `a, b and 7 more`.
  ///
  /// - Parameters:
  ///   - items: All items, or at least those to show.
  ///   - count: The number of all items.
  static func list(_ items: [String], of count: Int, _ conjunction: String = "or") -> String {
    guard count > min(items.count, shownNames) else { return list(items, conjunction) }
    return items.prefix(shownNames).joined(separator: ", ") + " and \(count - min(items.count, shownNames)) more"
  }

  /// `1`, `one of 1, 2 or 3`, or the first of them and the number of the others.
  static func values(_ values: some Sequence<JSON>, of count: Int) -> String {
    let shown = values.prefix(shownValues).map(quote)
    let rest = count - shown.count
    let list = rest > 0 ? shown.joined(separator: ", ") + " or one of \(rest) more" : list(shown)
    return count == 1 ? list : "one of \(list)"
  }

  /// A name in backticks; a long one is shortened.
  static func name(_ name: String) -> String { "`\(VisibleText.line(VisibleText.shortened(name, to: 120)))`" }

  /// `1 element`, `2 elements`, `2 properties`.
  static func count(_ count: Int, _ noun: String) -> String {
    if count == 1 { return "1 \(noun)" }
    return "\(count) " + (noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s")
  }

  /// A description of a small schema, for a message after "fits"; `the schema` for others.
  static func summary(_ schema: JSON) -> String {
    guard schema.isObject, schema.count == 1, let member = schema.members.first(where: { _ in true }) else {
      return "the schema"
    }
    switch Keyword.named(member.key) {
    case .type: return "the type \(member.value.string ?? list(member.value.elements.prefix(shownNames).map(\.text)))"
    case .const: return "the value \(quote(member.value))"
    case .ref: return "`\(member.value.string ?? "")`"
    case .required: return "the schema"
    default: return "`\(member.name)`: \(quote(member.value))"
    }
  }
}

extension JSON {
  /// The value as messages quote it, shortened if it is long.
  package var shownInMessages: String { Wording.quote(self) }

  /// The name of the member with this value.
  package var keyName: String? { pointer.tokens.last }

  /// The value of another member of the same object.
  func sibling(_ name: String) -> JSON? {
    JSON(document: document, index: 0)[JSONPointer(pointer.tokens.dropLast() + [name])]
  }

  /// The key of the member with this value; `nil` for an element or a root.
  var ownKey: JSON? {
    // A key is directly before its value.
    guard index > 0, let name = keyName, case let key = JSON(document: document, index: index - 1), key.isString(name)
    else { return nil }
    return key
  }
}
