/// Turns of phrase that the messages about values share.
enum Wording {
  /// A value as it is spelled, cut short.
  static func quote(_ value: JSON) -> String {
    switch value.kind {
    case .object: return "an object"
    case .array where value.count > 8: return "an array of \(value.count)"
    default:
      let text = JSONWriter.text(value)
      return text.unicodeScalars.count <= 80
        ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(77))) + "..."
    }
  }

  /// A value with its type: `number 12`, `string "a"`, `null`, `array`.
  static func found(_ value: JSON) -> String {
    switch value.kind {
    case .null, .object, .array: value.kindName
    case .true, .false, .number, .string: "\(value.kindName) \(quote(value))"
    }
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

  /// What a small schema asks for; `the schema` for any other.
  static func summary(_ schema: JSON) -> String {
    guard schema.isObject, schema.count == 1, let member = schema.members.first(where: { _ in true }) else {
      return "the schema"
    }
    switch Keyword.named(member.key) {
    case .type: return member.value.string ?? quote(member.value)
    case .const: return quote(member.value)
    case .ref: return "`\(member.value.string ?? "")`"
    case .required: return "the schema"
    default: return "`\(member.name)`: \(quote(member.value))"
    }
  }
}

extension JSON {
  /// The name of the member that this is the value of.
  var keyName: String? { pointer.tokens.last }
}
