/// JSON Patch (RFC 6902).
package enum JSONPatch {
  package enum Problem: Error, Equatable {
    /// It is not a patch.
    case malformed(String)
    /// It does not fit the document: a missing target, or a `test` that fails.
    case conflict(String)
  }

  package static let limit = 10_000
  /// The longest text of all copies together, in bytes: copies of copies would double a document with each operation.
  package static let copyLimit = 10 << 20

  /// The document after all operations; of a patch that fails none counts (section 5).
  package static func apply(_ patch: JSON, to document: JSON) throws(Problem) -> JSON {
    guard patch.isArray, patch.count <= limit else {
      throw .malformed("a patch is a list of at most \(limit) operations")
    }
    var result = document
    var room = copyLimit
    for operation in patch.elements { result = try apply(operation: operation, to: result, &room) }
    return result
  }

  private static func apply(operation: JSON, to document: JSON, _ room: inout Int) throws(Problem) -> JSON {
    guard let name = operation["op"]?.string, let text = operation["path"]?.string, let path = JSONPointer(text) else {
      throw .malformed("an operation has `op` and `path`")
    }
    let tokens = path.tokens[...]
    switch name {
    case "add": return try edit(document, tokens, .add(try value(of: operation)))
    case "replace": return try edit(document, tokens, .replace(try value(of: operation)))
    case "remove": return try edit(document, tokens, .remove)
    case "test":
      guard document[path] == (try value(of: operation)) else { throw .conflict("`\(text)` has another value") }
      return document
    case "move", "copy":
      guard let from = operation["from"]?.string, let source = JSONPointer(from) else {
        throw .malformed("`\(name)` has `from`")
      }
      guard let value = document[source] else { throw .conflict("`\(from)` does not exist") }
      if name == "copy" {
        room -= JSONWriter.bytes(value).count
        guard room >= 0 else { throw .malformed("the copies of a patch have at most \(copyLimit >> 20) MB together") }
        return try edit(document, tokens, .add(value))
      }
      guard !text.hasPrefix(from + "/") else { throw .malformed("a value cannot be moved into itself") }
      if from == text { return document }
      return try edit(try edit(document, source.tokens[...], .remove), tokens, .add(value))
    default: throw .malformed("`\(name)` is not an operation")
    }
  }

  private static func value(of operation: JSON) throws(Problem) -> JSON {
    guard let value = operation["value"] else { throw .malformed("the operation has no `value`") }
    return value
  }

  private enum Change {
    case add(JSON), replace(JSON), remove

    var value: JSON? {
      switch self {
      case .add(let value), .replace(let value): value
      case .remove: nil
      }
    }

    var needsTarget: Bool { if case .add = self { false } else { true } }
  }

  private static func edit(_ target: JSON, _ path: ArraySlice<String>, _ change: Change) throws(Problem) -> JSON {
    guard let token = path.first else { return change.value ?? .null }
    let rest = path.dropFirst()
    if target.isObject {
      var members = target.members.map { ($0.name, $0.value) }
      let index = members.firstIndex { $0.0.utf8Equals(token) }
      guard rest.isEmpty else {
        guard let index else { throw .conflict("`\(token)` does not exist") }
        members[index].1 = try edit(members[index].1, rest, change)
        return .object(members)
      }
      if index == nil, change.needsTarget { throw .conflict("`\(token)` does not exist") }
      if let value = change.value {
        if let index { members[index].1 = value } else { members.append((token, value)) }
      } else if let index {
        members.remove(at: index)
      }
      return .object(members)
    }
    guard target.isArray else { throw .conflict("`\(token)` does not exist") }
    return try edit(elements: Array(target.elements), token, rest, change)
  }

  private static func edit(
    elements: [JSON], _ token: String, _ rest: ArraySlice<String>, _ change: Change
  ) throws(Problem) -> JSON {
    var elements = elements
    let isNumber = token == "0" || (token.utf8.first != UInt8(ascii: "0") && token.utf8.allSatisfy { 48...57 ~= $0 })
    let index = token == "-" ? elements.count : isNumber ? Int(token) : nil
    let limit = rest.isEmpty && !change.needsTarget ? elements.count : elements.count - 1
    guard let index, index <= limit else { throw .conflict("the list has no element `\(token)`") }
    guard rest.isEmpty else {
      elements[index] = try edit(elements[index], rest, change)
      return .array(elements)
    }
    switch change {
    case .add(let value): elements.insert(value, at: index)
    case .replace(let value): elements[index] = value
    case .remove: elements.remove(at: index)
    }
    return .array(elements)
  }
}
