package import UnderstudyJSON
package import UnderstudySchema

extension JSON {
  /// The value for the schema engine.
  package init(_ value: JSONValue) { self = .make { $0.append(value) } }
}

extension JSONBuilder {
  /// Appends a value with all its descendants. Of duplicate names a built document finds the first.
  package mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(JSON.Kind.null)
    case .bool(let value): append(value)
    case .number(let number): append(decimal: Array(number.spelling.utf8)[...])
    case .string(let text): append(text)
    case .array(let elements):
      begin(.array)
      for element in elements { append(element) }
      end()
    case .object(let members):
      begin(.object)
      for member in members {
        append(key: member.name)
        append(member.value)
      }
      end()
    }
  }
}

extension JSONValue {
  /// The value of a node, without its document.
  package init(_ node: JSON) {
    switch node.kind {
    case .null: self = .null
    case .false: self = .bool(false)
    case .true: self = .bool(true)
    case .number: self = .number(Number(valid: node.text))
    case .string: self = .string(node.text)
    case .array: self = .array(node.elements.map { JSONValue($0) })
    case .object: self = .object(node.members.map { Member($0.name, JSONValue($0.value)) })
    }
  }
}
