import UnderstudyJSON
import UnderstudySchema

extension SocketScript {
  func environment(_ member: SocketState.Member?, _ rest: [(String, JSON)]) -> JSON {
    environment(member, .object(rest))
  }

  /// The environment of templates: `auth` and `request` of the connection, `socket` with its values, and the rest.
  func environment(_ member: SocketState.Member?, _ rest: JSON) -> JSON {
    guard let member else { return rest }
    return JSON.make { builder in
      builder.begin(.object)
      for name in ["auth", "request"] {
        builder.append(key: name)
        builder.append(member.connection[name] ?? .object([]))
      }
      builder.append(key: "namespace")
      builder.append(member.namespace)
      builder.append(key: "socket")
      builder.append(.object(member.values.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }))
      for other in rest.members where !Self.ownNames.contains(other.name) {
        builder.append(key: other.name)
        builder.append(other.value)
      }
      builder.end()
    }
  }

  private static let ownNames = ["auth", "request", "namespace", "socket"]
}
