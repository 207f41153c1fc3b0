/// Takes passwords out of bodies: fields that a contract gives `format: password`, and those that are called so.
struct BodyRedaction: Sendable {
  /// Names of fields that the contracts call passwords.
  private let passwords: [String]

  init(_ contracts: [API]) { passwords = contracts.flatMap { Self.passwords(in: $0.root) } }
  /// The names of properties that some schema of a contract gives `format: password`.
  private static func passwords(in root: JSON) -> [String] {
    var names: [String] = []
    var open = [root]
    while let node = open.popLast() {
      for element in node.elements where element.isObject || element.isArray { open.append(element) }
      for member in node.members where member.value.isObject || member.value.isArray {
        open.append(member.value)
        guard member.name == "properties" else { continue }
        for property in member.value.members where property.value["format"]?.isString("password") == true {
          names.append(property.name)
        }
      }
    }
    return names
  }

  /// A body without the values of fields that are passwords; any other body is left as it is.
  func redact(_ bytes: [UInt8], _ contentType: MediaRange?) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    switch contentType?.syntax {
    case .form?: return Array(Redaction.redactPairs(bytes, where: isSecret).utf8)
    case .json?:
      guard let root = try? JSONParser.parse(bytes).root, holdsPassword(root) else { return bytes }
      return JSONWriter.bytes(JSON.make { copy(root, into: &$0) })
    default: return bytes
    }
  }

  private func isPassword(_ member: JSON.Member) -> Bool { member.value.isString && isSecret(member.name) }

  /// Whether a field is a password, by the contracts or by its name alone.
  func isSecret(_ name: String) -> Bool {
    passwords.contains { $0.utf8Equals(name) } || CredentialNames.hasBodyField(name)
  }

  private func holdsPassword(_ root: JSON) -> Bool {
    var open = [root]
    while let node = open.popLast() {
      for element in node.elements where element.isObject || element.isArray { open.append(element) }
      for member in node.members {
        if isPassword(member) { return true }
        if member.value.isObject || member.value.isArray { open.append(member.value) }
      }
    }
    return false
  }

  /// As deep as a parsed text is, which has a limit.
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
