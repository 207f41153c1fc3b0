extension ResolvedSchema {
  /// The content of a view.
  final class Contents: Sendable {
    let chain: [JSON]
    let parts: [Part]
    let types: JSONTypeSet
    let properties: [Property]
    /// How many of the properties the parts declare.
    let declaredCount: Int
    let items: JSON?
    let others: JSON?

    /// Any value.
    init() {
      (chain, parts, types, properties, declaredCount) = ([true], [], .any, [], 0)
      (items, others) = (nil, nil)
    }

    /// An array.
    init(arrayOf items: JSON) {
      (chain, parts, types, properties, declaredCount) = ([ResolvedSchema.any.node], [], .array, [], 0)
      (self.items, others) = (items, nil)
    }

    fileprivate init(_ reading: Reading, declaredCount: Int) {
      (chain, parts, types) = (reading.chain, reading.parts, reading.types)
      (properties, self.declaredCount) = (reading.properties, declaredCount)
      (items, others) = (reading.items, reading.others)
    }
  }

  /// Reads a schema together with the schemas that apply in the same place.
  ///
  /// One limit and one rule for cycles hold: schemas beyond the limit allow any value, and so does a schema inside
  /// itself.
  struct Reader {
    /// Schemas that are read for one view.
    private static let limit = 256
    private var left = limit
    /// The schemas from the first to the current one; one of them again is a cycle.
    private var path: Set<NodeID> = []

    mutating func read(_ schema: JSON, in registry: inout ResourceRegistry) -> Contents {
      var reading = Reading(schema)
      let outer = path
      defer { path = outer }
      var pending = [schema]
      while let next = pending.popLast(), left > 0 {
        left -= 1
        if next.bool == false { reading.types = [] }
        guard next.isObject, path.insert(next.id).inserted else { continue }
        pending += part(next, of: &reading, in: &registry).reversed()
      }
      let declaredCount = reading.properties.count
      for part in reading.parts {
        for keyword in [Keyword.anyOf, .oneOf] { read(part.elements(of: keyword), of: &reading, in: &registry) }
      }
      return Contents(reading, declaredCount: declaredCount)
    }

    /// Reads one schema object; returns the other schemas that apply in its place.
    private mutating func part(
      _ schema: JSON, of reading: inout Reading, in registry: inout ResourceRegistry
    ) -> [JSON] {
      let resource = registry.place(of: schema).resource
      let dialect = registry.resources[resource].dialect ?? .draft2020
      let part = Part(schema: schema, keywords: dialect.keywords)
      let reference = part.first(of: .ref, .dynamicRef, .recursiveRef, where: \.isString)
      var applied: [JSON] = []
      if let reference, let target = registry.resolve(reference, from: resource) { applied = [registry.json(target)] }
      let isReference = !applied.isEmpty
      if reference == nil || !dialect.has(.refHidesSiblings) {
        reading.add(part, dialect)
        applied += part.elements(of: .allOf)
      }
      if reading.chain.last?.id == schema.id, let only = applied.first, isReference || applied.count == 1 {
        reading.chain.append(only)
      }
      return applied
    }

    /// Reads alternatives; any of them may apply.
    private mutating func read(_ branches: [JSON], of reading: inout Reading, in registry: inout ResourceRegistry) {
      guard !branches.isEmpty else { return }
      var types: JSONTypeSet = []
      for branch in branches {
        guard left > 0 else {
          types = .any
          break
        }
        let contents = read(branch, in: &registry)
        types.formUnion(contents.types)
        reading.add(contents.properties)
        reading.items = reading.items ?? contents.items
        reading.others = reading.others ?? contents.others
      }
      reading.types.formIntersection(types)
    }
  }

  /// The content read so far.
  fileprivate struct Reading {
    var chain: [JSON]
    var parts: [Part] = []
    var types = JSONTypeSet.any
    var properties: [Property] = []
    private var names: Set<[UInt8]> = []
    var items: JSON?
    var others: JSON?

    init(_ schema: JSON) { chain = [schema] }

    mutating func add(_ part: Part, _ dialect: Dialect) {
      parts.append(part)
      types.formIntersection(Self.types(of: part, dialect))
      if let object = part[.properties] {
        let hasShadows = !object.document.duplicates.isEmpty
        add(
          object.members.lazy.filter { !hasShadows || object[$0.name]?.index == $0.value.index }.map {
            Property(name: $0.name, schema: $0.value)
          })
      }
      items = items ?? part.first(of: .items, where: Self.isOpen)
      others = others ?? part.first(of: .additionalProperties, where: Self.isOpen)
    }

    /// Whether a value is a schema that can accept something.
    private static func isOpen(_ schema: JSON) -> Bool { schema.isObject || schema.bool == true }

    /// Adds properties; of one name the first counts.
    mutating func add(_ others: some Sequence<Property>) {
      guard !properties.isEmpty else { return properties += others }
      if names.isEmpty { names = Set(properties.map { Array($0.name.utf8) }) }
      for property in others where names.insert(Array(property.name.utf8)).inserted { properties.append(property) }
    }

    /// The types by `type`, else by the listed values; `nullable` does not add `null` to a list of values (OpenAPI
    /// 3.0.3, "Clarify Semantics of nullable").
    private static func types(of part: Part, _ dialect: Dialect) -> JSONTypeSet {
      var types = JSONTypeSet(schema: part.schema, dialect: dialect)
      for values in [part[.const].map { [$0] } ?? [], part.elements(of: .enum)] where !values.isEmpty {
        let listed = values.reduce(into: JSONTypeSet()) { $0.formUnion(JSONTypeSet(naming: $1.kind)) }
        types = types.map { listed.contains(.null) ? $0 : $0.subtracting(.null) } ?? listed
      }
      return types ?? .any
    }
  }
}
