/// A hash of what a contract says about an operation, including the targets of its references. Descriptions, examples and
/// `deprecated` change no request and no response, and are left out.
struct ContractHash {
  private let resolver: ReferenceResolver
  private var parts: [String] = []
  /// The targets of references in the order of the first reference, and their numbers, which stand for them.
  private var targets: [JSON] = []
  private var numbers: [NodeID: Int] = [:]

  /// The hashes of version 1 have no prefix, and left the targets out.
  private static let version = "2-"
  private static let ignored: Set<String> = [
    "description", "summary", "deprecated", "example", "examples", "externalDocs", "tags", "title",
  ]

  /// Whether a stored hash, of any version, equals the hash of the operation.
  static func matches(_ hash: String, _ operation: CompiledOperation) -> Bool {
    hash
      == (hash.hasPrefix(version)
        ? operation.contractHash : RecordingIndex.hash(JSONWriter.bytes(operation.operation.node)))
  }

  static func of(_ operation: CompiledOperation) -> String {
    var hash = ContractHash(resolver: operation.api.resolver)
    hash.add(operation.operation.node)
    // Not within each other: a chain of references may be longer than the stack is deep.
    var next = 0
    while next < hash.targets.count {
      hash.parts.append("=\(next)")
      hash.add(hash.targets[next])
      next += 1
    }
    return version + RecordingIndex.hash(Array(hash.parts.joined(separator: " ").utf8))
  }

  private init(resolver: ReferenceResolver) { self.resolver = resolver }

  /// Recursive, since the parser limits the depth.
  private mutating func add(_ node: JSON) {
    switch node.kind {
    case .object:
      if let reference = node.reference, case .success(let target) = resolver.target(of: reference) {
        let number = numbers[target.id] ?? targets.count
        if number == targets.count {
          numbers[target.id] = number
          targets.append(target)
        }
        return parts.append("#\(number)")
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
