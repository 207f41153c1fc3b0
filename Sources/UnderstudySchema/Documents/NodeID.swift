/// The identity of a node in its document; equal values at different places have different identities.
package struct NodeID: Hashable, Sendable {
  private let document: ObjectIdentifier
  private let index: Int

  package init(_ value: JSON) {
    document = ObjectIdentifier(value.document)
    index = value.index
  }
}

extension JSON {
  /// The identity of this value among all loaded documents.
  package var id: NodeID { NodeID(self) }

  /// The path of its file; empty for a value without a file.
  package var path: String { document.source?.path ?? "" }

  /// The members that count: only the last one of duplicate keys.
  package var distinctMembers: [Member] {
    guard !document.duplicates.isEmpty else { return Array(members) }
    var seen: Set<[UInt8]> = []
    var result: [Member] = []
    for member in members.reversed() where seen.insert(member.key.bytes).inserted { result.append(member) }
    return result.reversed()
  }

  /// The members by key, for many lookups in one large object.
  package var memberTable: [[UInt8]: JSON] {
    Dictionary(members.map { ($0.key.bytes, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The bytes of a string: a dictionary key without the canonical equivalence of `String`.
  package var bytes: [UInt8] { document.withBytes(of: index) { Array($0) } }

  /// Whether a key is a specification extension.
  package var isExtensionKey: Bool { document.withBytes(of: index) { $0.starts(with: "x-".utf8) } }

  /// The string under `$ref`, which makes this object a reference.
  package var reference: JSON? {
    guard let reference = self["$ref"], reference.isString else { return nil }
    return reference
  }
}
