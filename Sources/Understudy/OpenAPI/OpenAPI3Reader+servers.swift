extension OpenAPI3Reader {
  /// The servers of the root, a path item or an operation; empty when it names none.
  mutating func servers(_ node: JSON) -> [Server] {
    reading.list(node, "servers").compactMap { value in
      guard let node = reading.object(value, "a server"), let url = reading.requiredString(node, "url", "server") else {
        return nil
      }
      let variables = reading.map(node, "variables").compactMap { variable($0) }
      return Server(url: url, variables: variables, node: node)
    }
  }

  private mutating func variable(_ member: JSON.Member) -> Server.Variable? {
    guard let node = reading.object(member.value, "a server variable") else { return nil }
    if node["default"] == nil { reading.reportMissing("default", node, "server variable") }
    // Ports are often written as numbers.
    let values = reading.list(node, "enum").map(\.scalarText)
    return Server.Variable(
      name: member.name, defaultValue: node["default"]?.scalarText ?? values.first ?? "", values: values)
  }
}

extension JSON {
  /// The text of a string or the spelling of a number; else the kind's name.
  fileprivate var scalarText: String { isString || kind == .number ? text : kindName }
}
