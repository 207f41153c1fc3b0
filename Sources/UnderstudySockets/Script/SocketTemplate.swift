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
    let (templates, rest) = templates(in: string)
    guard let first = templates.first else { return .string(string) }
    if templates.count == 1, first.prefix.isEmpty, rest.isEmpty {
      return value(at: first.path, in: environment) ?? .null
    }
    return .string(templates.map { $0.prefix + (value(at: $0.path, in: environment).map(text) ?? "") }.joined() + rest)
  }

  /// The paths between `{{` and `}}`, each with the text that precedes it, and the text after the last template.
  static func templates(in string: String) -> (templates: [(prefix: Substring, path: String)], rest: Substring) {
    var templates: [(prefix: Substring, path: String)] = []
    var rest = string[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let path = rest[start.upperBound..<end.lowerBound].filter { $0 != " " }
      templates.append((rest[..<start.lowerBound], path))
      rest = rest[end.upperBound...]
    }
    return (templates, rest)
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
