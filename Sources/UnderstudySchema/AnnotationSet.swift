/// The annotations that occur anywhere in a schema; without any, values need no walk.
package struct AnnotationSet: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readOnly = AnnotationSet(rawValue: 1)
  package static let writeOnly = AnnotationSet(rawValue: 2)
  package static let deprecated = AnnotationSet(rawValue: 4)
  package static let discriminator = AnnotationSet(rawValue: 8)
  package static let format = AnnotationSet(rawValue: 16)
  package static let timeLimit = AnnotationSet(rawValue: 32)
  /// The keys with the earliest and the latest time that a contract accepts.
  package static let timeLimits = ["x-understudy-earliest", "x-understudy-latest"]
  /// Those that matter in requests. A constant, since other modules build a literal through a generic initializer.
  package static let ofRequests: AnnotationSet = [.readOnly, .deprecated, .discriminator, .timeLimit]
  /// Those that matter in responses.
  package static let ofResponses: AnnotationSet = [.writeOnly, .deprecated, .discriminator, .format]

  package func isDisjoint(with other: AnnotationSet) -> Bool { rawValue & other.rawValue == 0 }

  fileprivate init(_ member: JSON.Member) {
    switch member.value.kind {
    case .true where member.key.isString("readOnly"): self = .readOnly
    case .true where member.key.isString("writeOnly"): self = .writeOnly
    case .true where member.key.isString("deprecated"): self = .deprecated
    case .object where member.key.isString("discriminator"): self = .discriminator
    case .string where member.key.isString("discriminator"): self = .discriminator
    case .string where Self.timeLimits.contains(where: member.key.isString):
      self = .timeLimit
    default: self = []
    }
  }
}

extension SchemaLibrary {
  /// The most objects and arrays to search in one schema; a larger schema counts as having every annotation.
  private static let searchLimit = 20_000

  /// The annotations that occur in a schema or in the targets of its references.
  ///
  /// The search includes examples: an annotation in one costs a walk but causes no finding.
  package func annotations(in schema: JSON) -> AnnotationSet {
    var found: AnnotationSet = []
    var pending = [schema]
    var seen: Set<NodeID> = []
    var left = Self.searchLimit
    let annotatesFormats = dialect(of: schema)?.annotatesFormats == true
    while let node = pending.popLast() {
      left -= 1
      guard left > 0 else {
        return AnnotationSet.ofRequests.union(.ofResponses).subtracting(annotatesFormats ? [] : .format)
      }
      if let target = target(ofReference: node), seen.insert(target.id).inserted { pending.append(target) }
      for member in node.members {
        if member.value.isObject || member.value.isArray { pending.append(member.value) }
        found.formUnion(AnnotationSet(member))
        if annotatesFormats, member.value.isString, member.key.isString("format") { found.formUnion(.format) }
      }
      pending += node.elements.filter { $0.isObject || $0.isArray }
    }
    return found
  }
}
