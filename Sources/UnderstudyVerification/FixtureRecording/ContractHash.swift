/// A hash of what a contract says about an operation, the targets of its references included. What changes no request and no
/// response does not count: descriptions, examples, `deprecated`.
struct ContractHash {
  private let resolver: ReferenceResolver
  private var parts: [String] = []
  /// The numbers of the targets that were met, so that a cycle ends.
  private var targets: [NodeID: Int] = [:]

  /// The hashes of version 1 have no prefix, and left the targets out.
  private static let version = "2-"
  private static let ignored: Set<String> = [
    "description", "summary", "deprecated", "example", "examples", "externalDocs", "tags", "title",
  ]

  /// Whether a hash of any version is that of the operation.
  static func matches(_ hash: String, _ operation: CompiledOperation) -> Bool {
    hash
      == (hash.hasPrefix(version)
        ? operation.contractHash : RecordingIndex.hash(JSONWriter.bytes(operation.operation.node)))
  }

  static func of(_ operation: CompiledOperation) -> String {
    var hash = ContractHash(resolver: operation.api.resolver)
    hash.add(operation.operation.node)
    return version + RecordingIndex.hash(Array(hash.parts.joined(separator: " ").utf8))
  }

  private init(resolver: ReferenceResolver) { self.resolver = resolver }

  /// Recursive, since the parser limits the depth; each target is walked once.
  private mutating func add(_ node: JSON) {
    switch node.kind {
    case .object:
      if let reference = node.reference, case .success(let target) = resolver.target(of: reference) {
        if let known = targets[target.id] { return parts.append("#\(known)") }
        targets[target.id] = targets.count
        return add(target)
      }
      let members = node.members.filter { !Self.isIgnored($0) }.sorted {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }
      parts.append("{\(members.count)")
      for member in members {
        parts.append(JSONWriter.text(.string(member.name)))
        add(member.value)
      }
    case .array:
      parts.append("[\(node.count)")
      for element in node.elements { add(element) }
    default: parts.append(JSONWriter.text(node))
    }
  }

  /// A property may have the name of such a keyword; its value is a schema.
  private static func isIgnored(_ member: JSON.Member) -> Bool {
    ignored.contains(member.name)
      && (!member.value.isObject || ["example", "examples", "externalDocs"].contains(member.name))
  }
}
