/// A lower bound for the number of values in each value of a schema.
///
/// Required properties multiply: thirty schemas, each with the next in two properties, take a billion values.
struct SmallestSize {
  private let reader: SchemaReader
  /// The sizes by schema; 1 for a schema that is being computed and contains itself.
  private var known: [NodeID: Int] = [:]
  /// The number of schemas that may still be read.
  private var left = 10_000

  /// The maximum nesting that is looked into.
  private static let maximumDepth = 64
  /// Larger sizes are not distinguished.
  private static let maximum = 1 << 40

  init(_ reader: SchemaReader) { self.reader = reader }

  /// - Returns: 0 for a property that a direction may exclude.
  mutating func size(of schema: JSON, depth: Int = 0) -> Int {
    if let size = known[schema.id] { return size }
    guard depth < Self.maximumDepth, left > 0 else { return 1 }
    known[schema.id] = 1
    let size = min(compute(schema, depth + 1), Self.maximum)
    known[schema.id] = size
    return size
  }

  private mutating func compute(_ schema: JSON, _ depth: Int) -> Int {
    let parts = parts(of: schema)
    if parts.contains(where: { $0["readOnly"]?.bool == true || $0["writeOnly"]?.bool == true }) { return 0 }
    // `required` and `minItems` say nothing about values of other types.
    guard !parts.contains(where: { $0["nullable"]?.bool == true }) else { return 1 }
    var size = 1
    if parts.contains(where: { $0["type"]?.isString("object") == true }) {
      var names: Set<String> = []
      for name in parts.flatMap({ $0.elements(of: "required") }).compactMap(\.string)
      where size < Self.maximum && names.insert(name).inserted {
        size += parts.compactMap { $0["properties"]?[name] }.map { self.size(of: $0, depth: depth) }.max() ?? 1
      }
    }
    if parts.contains(where: { $0["type"]?.isString("array") == true }) {
      for part in parts where part["prefixItems"] == nil {
        guard let items = part["items"], items.isObject else { continue }
        let least = min(parts.compactMap { $0["minItems"]?.size }.max() ?? 0, Self.maximum)
        let (elements, isLarger) = least.multipliedReportingOverflow(by: self.size(of: items, depth: depth))
        size = isLarger ? Self.maximum : max(size, 1 + elements)
      }
    }
    return size
  }

  /// A schema with the targets of its references and the schemas of `allOf`, without keywords beside a reference.
  private mutating func parts(of schema: JSON) -> [JSON] {
    var parts: [JSON] = []
    var seen: Set<NodeID> = []
    var pending = [schema]
    while let next = pending.popLast() {
      guard next.isObject, seen.insert(next.id).inserted, left > 0 else { continue }
      left -= 1
      if let target = reader.target(of: next) {
        pending.append(target)
      } else {
        parts.append(next)
        pending += next.elements(of: "allOf")
      }
    }
    return parts
  }
}
