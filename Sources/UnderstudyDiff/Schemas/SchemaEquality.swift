/// Compares schemas of two versions keyword by keyword, with references followed and most annotations left out.
///
/// Equal schemas accept the same values, whatever their keywords are. Unequal ones may.
final class SchemaEquality {
  private let a: SchemaSide
  private let b: SchemaSide
  /// The annotations that must be equal too.
  private let annotations: [String]
  private var cache = PairCache<NodePair, Bool>()
  private var depth = 0

  private struct NodePair: Hashable {
    let a: NodeID
    let b: NodeID
  }

  init(_ a: SchemaSide, _ b: SchemaSide, annotations: [String] = []) {
    self.a = a
    self.b = b
    self.annotations = annotations
  }

  func same(_ first: JSON, _ second: JSON) -> Bool {
    let (x, y) = (a.target(of: first), b.target(of: second))
    guard x.isObject, y.isObject else { return x == y || (Self.isAny(x) && Self.isAny(y)) }
    // Flat schemas are as fast to compare as to look up.
    if isFlat(x), isFlat(y) { return compare(x, y) }
    switch cache.enter(NodePair(a: x.id, b: y.id)) {
    case .known(let result): return result
    case .assumed: return true
    case .new(let entry):
      depth += 1
      defer { depth -= 1 }
      guard depth <= DeepRecursion.limit else {
        cache.abandon(entry)
        return false
      }
      let result = compare(x, y)
      cache.leave(entry, with: result, isNeutral: result)
      return result
    }
  }

  /// Whether a schema has no schemas inside.
  private func isFlat(_ schema: JSON) -> Bool {
    schema.count <= Self.flatSize
      && schema.members.allSatisfy {
        !$0.value.isObject && !($0.value.isArray && $0.value.elements.first { $0.isObject } != nil)
      }
      && schema[Keyword.ref.name] == nil && schema[Keyword.dynamicRef.name] == nil
      && schema[Keyword.recursiveRef.name] == nil
  }

  /// The maximum number of members of a flat schema.
  private static let flatSize = 8

  private static func isAny(_ schema: JSON) -> Bool { schema.bool == true || (schema.isObject && schema.count == 0) }

  private func compare(_ x: JSON, _ y: JSON) -> Bool {
    let (left, right) = (a.keywords(of: x), b.keywords(of: y))
    guard left.count == right.count, annotations.allSatisfy({ x[$0] == y[$0] }) else { return false }
    return left.allSatisfy { keyword, value in
      guard let other = right.first(where: { $0.keyword == keyword })?.value else { return false }
      return same(keyword, value, other, x, y)
    }
  }

  private func same(_ keyword: Keyword, _ value: JSON, _ other: JSON, _ x: JSON, _ y: JSON) -> Bool {
    switch keyword {
    case .ref, .recursiveRef, .dynamicRef:
      guard let target = a.library.target(ofReference: x), let second = b.library.target(ofReference: y) else {
        return false
      }
      return (keyword == .ref || value == other) && same(target, second)
    case .not, .if, .then, .else, .additionalProperties, .additionalItems, .contains, .propertyNames, .unevaluatedItems,
      .unevaluatedProperties, .contentSchema:
      return same(value, other)
    case .items: return value.isArray ? sameList(value, other) : same(value, other)
    case .allOf, .anyOf, .oneOf, .prefixItems: return sameList(value, other)
    case .properties, .patternProperties, .dependentSchemas, .dependencies:
      guard value.isObject, other.isObject, value.count == other.count else { return value == other }
      let table = other.count > 16 ? other.memberTable : nil
      return value.members.allSatisfy { member in
        guard let second = table.map({ $0[member.key.bytes] }) ?? other[member.name] else { return false }
        return member.value.isArray ? member.value == second : same(member.value, second)
      }
    case .required, .enum, .type: return Self.sameSet(value, other)
    case .discriminator: return Discriminator(value) == Discriminator(other)
    default: return value == other
    }
  }

  private func sameList(_ value: JSON, _ other: JSON) -> Bool {
    value.isArray && other.isArray && value.count == other.count
      && zip(value.elements, other.elements).allSatisfy { same($0, $1) }
  }

  private static func sameSet(_ value: JSON, _ other: JSON) -> Bool {
    if value == other { return true }
    func set(_ value: JSON) -> Set<[UInt8]> {
      Set((value.isArray ? Array(value.elements) : [value]).map { JSONWriter.bytes($0) })
    }
    return set(value) == set(other)
  }
}

/// The equalities of two versions, which comparisons in all directions share.
package struct SchemaEqualities {
  /// Whether schemas accept the same values.
  let values: SchemaEquality
  /// Whether their annotations with a difference of their own are equal too.
  let annotated: SchemaEquality

  package init(_ a: SchemaSide, _ b: SchemaSide) {
    values = SchemaEquality(a, b)
    annotated = SchemaEquality(a, b, annotations: AnnotationComparison.keywords)
  }
}
