package import UnderstudySchema

/// Fills templates in JSON: `{{event.0.to}}`. A string that is one template becomes its value, of any type; within other
/// text it becomes a string. A missing value is null, or empty.
package enum SocketTemplate {
  package static func fill(_ value: JSON, from environment: JSON) -> JSON {
    switch true {
    case value.isString: return fill(string: value.string ?? "", from: environment)
    case value.isArray: return .array(value.elements.map { fill($0, from: environment) })
    case value.isObject: return .object(value.members.map { ($0.name, fill($0.value, from: environment)) })
    default: return value
    }
  }

  private static func fill(string: String, from environment: JSON) -> JSON {
    var pieces: [String] = []
    var rest = string[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let path = String(rest[start.upperBound..<end.lowerBound]).filter { $0 != " " }
      let value = self.value(at: path, in: environment)
      if start.lowerBound == string.startIndex, end.upperBound == string.endIndex { return value ?? .null }
      pieces.append(String(rest[..<start.lowerBound]))
      pieces.append(value.map(text) ?? "")
      rest = rest[end.upperBound...]
    }
    return pieces.isEmpty ? .string(string) : .string(pieces.joined() + rest)
  }

  /// The value at names and positions that dots separate.
  package static func value(at path: String, in environment: JSON) -> JSON? {
    path.split(separator: ".").reduce(environment as JSON?) { value, name in
      value?[String(name)] ?? Int(name).flatMap { value?[$0] }
    }
  }

  /// A string without its quotation marks; anything else as JSON.
  package static func text(_ value: JSON) -> String { value.string ?? JSONWriter.text(value) }
}
