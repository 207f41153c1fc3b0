/// Turns of phrase that the messages about values share.
enum Wording {
  /// A value as it is spelled; what is long is cut short, what is large is described.
  static func quote(_ value: JSON) -> String {
    let limit = 80
    if value.isObject || value.isArray {
      // Every node takes at least two characters of text, so nothing large is written only to be thrown away.
      let nodes = value.document.end(of: value.index) - value.index
      if nodes * 2 <= limit, case let text = JSONWriter.text(value), text.unicodeScalars.count <= limit { return text }
      return value.isObject
        ? "an object of \(count(value.count, "property"))" : "an array of \(count(value.count, "element"))"
    }
    let text = JSONWriter.text(value)
    guard text.unicodeScalars.count > limit else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 3))) + "..."
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
    var way = JSONPointer()
    // Every turn goes one level down.
    while expected.kind == found.kind {
      if expected.isObject {
        let names = expected.members.map(\.name) + found.members.map(\.name)
        guard let name = names.first(where: { expected[$0] != found[$0] }) else { return nil }
        guard let inner = expected[name] else { return "`\(way + name)` should not be there" }
        guard let other = found[name] else { return "`\(way + name)` is missing" }
        (expected, found, way) = (inner, other, way + name)
      } else if expected.isArray {
        guard expected.count == found.count else {
          let place = way.tokens.isEmpty ? "it" : "`\(way)`"
          return "\(place) should have \(count(expected.count, "element")), not \(found.count)"
        }
        guard let (position, pair) = zip(expected.elements, found.elements).enumerated().first(where: { $1.0 != $1.1 })
        else { return nil }
        (expected, found, way) = (pair.0, pair.1, way + String(position))
      } else {
        break
      }
    }
    return way.tokens.isEmpty ? nil : "`\(way)` should be \(quote(expected)), not \(quote(found))"
  }

  /// `a`, `a or b`, `a, b or c`; the rest counted when there are more than `limit`.
  static func list(_ items: [String], limit: Int = .max) -> String {
    guard items.count <= limit else {
      return items.prefix(limit).joined(separator: ", ") + " and \(items.count - limit) more"
    }
    guard let last = items.last, items.count > 1 else { return items.first ?? "nothing" }
    return items.dropLast().joined(separator: ", ") + " or " + last
  }

  /// `1 element`, `2 elements`, `2 properties`.
  static func count(_ count: Int, _ noun: String) -> String {
    if count == 1 { return "1 \(noun)" }
    return "\(count) " + (noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s")
  }

  /// What a small schema asks for, to stand behind "fits"; `the schema` for any other.
  static func summary(_ schema: JSON) -> String {
    guard schema.isObject, schema.count == 1, let member = schema.members.first(where: { _ in true }) else {
      return "the schema"
    }
    switch Keyword.named(member.key) {
    case .type: return "the type \(member.value.string ?? list(member.value.elements.map(\.text)))"
    case .const: return "the value \(quote(member.value))"
    case .ref: return "`\(member.value.string ?? "")`"
    case .required: return "the schema"
    default: return "`\(member.name)`: \(quote(member.value))"
    }
  }
}

extension JSON {
  /// The name of the member that this is the value of.
  var keyName: String? { pointer.tokens.last }

  /// The key of the member that this is the value of, for the sake of its position; `nil` for an element or a root.
  var ownKey: JSON? {
    // A key stands directly before its value.
    guard index > 0, let name = keyName, case let key = JSON(document: document, index: index - 1), key.isString(name)
    else { return nil }
    return key
  }
}
