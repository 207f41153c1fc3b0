import JSONSchema
import SourceText

/// Which annotations a schema holds anywhere, so that values are walked only where there is something to find.
struct SchemaTraits: OptionSet, Sendable {
  var rawValue: UInt8

  static let readOnly = SchemaTraits(rawValue: 1)
  static let writeOnly = SchemaTraits(rawValue: 2)
  static let deprecated = SchemaTraits(rawValue: 4)
  static let discriminator = SchemaTraits(rawValue: 8)
  static let all: SchemaTraits = [.readOnly, .writeOnly, .deprecated, .discriminator]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  private struct Place: Hashable {
    let document: ObjectIdentifier
    let index: Int
  }

  /// A schema with more parts than this is taken to hold all of them.
  private static let limit = 20_000

  /// Follows references; an annotation in an example counts too, which costs a walk and no finding.
  init(of schema: JSON, resolve: (JSON) -> JSON?) {
    self = []
    var pending = [schema]
    var seen: Set<Place> = []
    var parts = 0
    while let node = pending.popLast() {
      parts += 1
      guard parts < Self.limit else {
        self = .all
        return
      }
      if node.isArray {
        pending += node.elements.filter { $0.isObject || $0.isArray }
        continue
      }
      if node["$ref"] != nil, let target = resolve(node),
        seen.insert(Place(document: ObjectIdentifier(target.document), index: target.index)).inserted
      {
        pending.append(target)
      }
      for member in node.members {
        if member.value.isObject || member.value.isArray { pending.append(member.value) }
        insert(Self.trait(of: member))
      }
    }
  }

  private static func trait(of member: JSON.Member) -> SchemaTraits {
    switch member.value.kind {
    case .true:
      member.key.isString("readOnly")
        ? .readOnly
        : member.key.isString("writeOnly") ? .writeOnly : member.key.isString("deprecated") ? .deprecated : []
    case .object, .string: member.key.isString("discriminator") ? .discriminator : []
    default: []
    }
  }
}
