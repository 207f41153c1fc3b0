/// Removes passwords from bodies: fields with `format: password` in a contract, and fields with a name such as
/// `password`.
struct BodyRedaction: Sendable {
  /// Names of properties with `format: password` in a schema.
  private let passwords: [String]

  init(_ contracts: [API]) {
    var names: [String] = []
    for contract in contracts {
      Self.forEachMember(of: contract.root) { member in
        guard member.name == "properties" else { return }
        names += member.value.members.filter { $0.value["format"]?.isString("password") == true }.map(\.name)
      }
    }
    passwords = names
  }

  /// Calls `body` with each member of every object in `root`.
  private static func forEachMember(of root: JSON, _ body: (JSON.Member) -> Void) {
    var open = [root]
    while let node = open.popLast() {
      for element in node.elements where element.isObject || element.isArray { open.append(element) }
      for member in node.members {
        body(member)
        if member.value.isObject || member.value.isArray { open.append(member.value) }
      }
    }
  }

  /// The body without passwords.
  func redact(_ bytes: [UInt8], _ contentType: MediaRange?) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    switch contentType?.syntax {
    case .form?: return Array(Redaction.redactPairs(bytes, where: isSecret).utf8)
    case .json?:
      guard let root = try? JSONParser.parse(bytes).root else { return bytes }
      var hasPassword = false
      Self.forEachMember(of: root) { hasPassword = hasPassword || isPassword($0) }
      // Without a password the body stays byte for byte.
      return hasPassword ? JSONWriter.bytes(JSON.make { copy(root, into: &$0) }) : bytes
    default: return bytes
    }
  }

  private func isPassword(_ member: JSON.Member) -> Bool { member.value.isString && isSecret(member.name) }

  /// Whether a field is a password, by a contract or by its name.
  func isSecret(_ name: String) -> Bool {
    passwords.contains { $0.utf8Equals(name) } || CredentialNames.hasBodyField(name)
  }

  /// Recursive, since the parser limits the depth.
  private func copy(_ node: JSON, into builder: inout JSONBuilder) {
    switch node.kind {
    case .array:
      builder.begin(.array)
      for element in node.elements { copy(element, into: &builder) }
      builder.end()
    case .object:
      builder.begin(.object)
      for member in node.members {
        builder.append(key: member.name)
        if isPassword(member) { builder.append(Redaction.marker) } else { copy(member.value, into: &builder) }
      }
      builder.end()
    default: builder.append(node)
    }
  }
}
