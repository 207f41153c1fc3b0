/// The members and parameters of contracts whose `format` says that they are about a person.
struct PersonalFormats: Sendable {
  private var kinds: [String: PersonalKind] = [:]

  private static let formats: [String: PersonalKind] = [
    "email": .email, "idn-email": .email, "phone": .phone, "phone-number": .phone, "tel": .phone, "e164": .phone,
    "birthdate": .birthday, "full-name": .name, "address": .address,
  ]
  private static let depthLimit = 64

  init(_ contracts: [CompiledContract] = []) {
    for contract in contracts { collect(contract.api.root, 0) }
  }

  /// The kind of the values of a member or a parameter; `nil` where no contract says any.
  subscript(_ name: String) -> PersonalKind? { kinds[name] }

  private mutating func collect(_ node: JSON, _ depth: Int) {
    guard depth < Self.depthLimit else { return }
    if node.isArray {
      for element in node.elements { collect(element, depth + 1) }
      return
    }
    guard node.isObject else { return }
    if let properties = node["properties"], properties.isObject {
      for member in properties.members { note(member.name, member.value) }
    }
    // A parameter of Swagger 2.0 is its own schema.
    if node["in"] != nil, let name = node["name"]?.string { note(name, node["schema"] ?? node) }
    for member in node.members { collect(member.value, depth + 1) }
  }

  private mutating func note(_ name: String, _ schema: JSON) {
    let format = schema["format"]?.string ?? schema["items"]?["format"]?.string
    if let kind = format.flatMap({ Self.formats[$0] }) { kinds[name] = kind }
  }
}
