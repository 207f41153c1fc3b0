/// A discriminator by its effect: a reference in its mapping counts by its last name, which is the same in every file.
struct Discriminator: Equatable {
  private let property: String
  private let mapping: [String: String]

  /// - Parameter node: An object, or in Swagger 2.0 the name of the property.
  init(_ node: JSON) {
    property = node.string ?? node["propertyName"]?.string ?? ""
    let members = node["mapping"]?.distinctMembers ?? []
    mapping = Dictionary(
      members.map { ($0.name, Self.name(of: $0.value.text)) }, uniquingKeysWith: { _, last in last })
  }

  private static func name(of reference: String) -> String {
    let last = reference.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Path.stem(of: last)
  }
}
