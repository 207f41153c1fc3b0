/// One version of an API as a source of schemas: their keywords, and values of them.
package final class SchemaSide {
  let library: SchemaLibrary
  let direction: Direction
  private var keywordLists: [NodeID: [(keyword: Keyword, value: JSON)]] = [:]
  private var joined: [[NodeID]: JSON] = [:]
  private var samples: [Sample: [JSON]] = [:]
  private var expansions: [[NodeID]: SchemaVariants?] = [:]
  private var patterns: [String: Pattern?] = [:]
  private var tables: [NodeID: [[UInt8]: JSON]] = [:]
  /// The work that is left for samples; without them differences are undecided.
  private let work = WorkBudget(allSamples)

  /// The maximum work for all samples: some seconds.
  private static let allSamples = 40_000_000
  /// The maximum work for one sample; a schema without values would cost the generator much more.
  private static let oneSample = 50_000

  private struct Sample: Hashable {
    let schemas: [NodeID]
    let types: JSONTypeSet?
  }

  package init(_ library: SchemaLibrary, _ direction: Direction) {
    self.library = library
    self.direction = direction
  }

  // MARK: - Keywords

  /// The keywords of a schema object that decide about values, in the dialect of the schema.
  func keywords(of schema: JSON) -> [(keyword: Keyword, value: JSON)] {
    if let known = keywordLists[schema.id] { return known }
    let dialect = library.dialect(of: schema) ?? .draft2020
    var list: [(keyword: Keyword, value: JSON)] = []
    for member in schema.distinctMembers {
      guard let keyword = Keyword.named(member.key), dialect.keywords.contains(keyword), !Self.isSilent(keyword) else {
        continue
      }
      list.append((keyword, member.value))
    }
    // Keywords beside a reference have no meaning before 2019-09.
    if dialect.hidesSiblings, let reference = list.first(where: { $0.keyword == .ref && $0.value.isString }) {
      list = [reference]
    }
    keywordLists[schema.id] = list
    return list
  }

  /// Whether `exclusiveMinimum` is a boolean beside `minimum`, as before draft 6.
  func hasBooleanLimits(_ schema: JSON) -> Bool { library.dialect(of: schema)?.keywords.contains(.const) == false }

  /// The member of an object, found by a table if the object is large.
  func member(_ name: String, of object: JSON) -> JSON? {
    guard object.isObject, object.count > Self.tableSize else { return object[name] }
    if let table = tables[object.id] { return table[Array(name.utf8)] }
    let table = object.memberTable
    tables[object.id] = table
    return table[Array(name.utf8)]
  }

  /// The number of members from which a table pays off.
  private static let tableSize = 32

  private static func isSilent(_ keyword: Keyword) -> Bool {
    switch keyword {
    case .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor, .defs, .definitions: true
    default: false
    }
  }

  /// Whether a view holds all schemas that apply with this one, through references and `allOf`.
  func isWhole(_ schema: JSON) -> Bool {
    var pending = [schema]
    var seen: Set<NodeID> = []
    var count = 0
    while let next = pending.popLast() {
      count += 1
      guard count <= Self.viewLimit else { return false }
      guard next.isObject, seen.insert(next.id).inserted else { continue }
      for (keyword, value) in keywords(of: next) {
        switch keyword {
        case .ref, .dynamicRef, .recursiveRef: library.target(ofReference: next).map { pending.append($0) }
        case .allOf: pending += value.elements
        default: break
        }
      }
    }
    return true
  }

  /// The number of schemas that `SchemaLibrary.resolved` reads for one view.
  private static let viewLimit = 256

  /// The maximum length of a chain of references.
  private static let chain = 100

  /// The schema behind references without siblings.
  func target(of schema: JSON) -> JSON {
    var schema = schema
    for _ in 0..<Self.chain {
      guard schema.isObject, schema[Keyword.ref.name]?.isString == true, case let keywords = keywords(of: schema),
        keywords.count == 1, keywords[0].keyword == .ref, let target = library.target(ofReference: schema)
      else { return schema }
      schema = target
    }
    return schema
  }

  /// Whether a schema refers to nothing but itself, as far as it was followed.
  func isLoop(_ schema: JSON) -> Bool {
    schema.isObject && keywords(of: schema).map(\.keyword) == [.ref] && schema[Keyword.ref.name]?.isString == true
  }

  /// Whether every value fits, by the schema alone.
  func isAny(_ schema: JSON) -> Bool {
    schema.bool == true
      || (schema.isObject
        && keywords(of: schema).allSatisfy { [.readOnly, .writeOnly, .discriminator].contains($0.keyword) })
  }

  /// Whether a property with these schemas is not sent in the direction.
  func isHidden(_ schemas: [JSON]) -> Bool {
    guard direction != .either else { return false }
    let flag: Keyword = direction == .request ? .readOnly : .writeOnly
    return schemas.contains { $0.isObject && library.resolved($0).sets(flag) }
  }

  /// Whether the engine asserts the format of a schema.
  func assertsFormat(_ schema: JSON, _ name: String) -> Bool {
    Self.assertedFormats.contains(name) && !library.onlyAnnotatesFormat(schema)
  }

  private static let assertedFormats: Set<String> = [
    "date-time", "date", "time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "byte", "int32", "int64",
  ]

  func pattern(_ text: String) -> Pattern? {
    if let known = patterns[text] { return known }
    let pattern = try? Pattern(ecma: text)
    patterns[text] = .some(pattern)
    return pattern
  }

  // MARK: - Values

  /// Whether all schemas accept a value.
  func accepts(_ schemas: [JSON], _ value: JSON) -> Bool {
    schemas.allSatisfy { library.schema(at: $0, direction: direction).accepts(value) }
  }

  /// Whether a schema is proven to refuse a value, rather than to exceed a limit of the engine.
  func refuses(_ schemas: [JSON], _ value: JSON) -> Bool {
    schemas.contains { schema in
      if case .refused = library.schema(at: schema, direction: direction).verdict(value, limit: 1, counts: false) {
        return true
      }
      return false
    }
  }

  /// One schema for several that all apply, and a type.
  func schema(of schemas: [JSON], types: JSONTypeSet? = nil) -> JSON {
    if schemas.count == 1, types == nil { return schemas[0] }
    let key = schemas.map(\.id)
    let whole: JSON
    if let known = joined[key], types == nil {
      whole = known
    } else {
      let references = schemas.map { schema in
        schema.document.source == nil || schema.bool != nil
          ? schema : JSON.object(("$ref", .string(library.absoluteLocation(of: schema))))
      }
      let names = types.map { $0.names.map(JSON.string) }
      let type: JSON? = names.flatMap { $0.count == 1 ? $0[0] : nil }
      whole = .object(("type", type), ("allOf", references.isEmpty ? nil : .array(references)))
    }
    if types == nil { joined[key] = whole }
    return whole
  }

  /// A small value that all schemas accept, of one type if one is named; none if none was found.
  func samples(of schemas: [JSON], types: JSONTypeSet? = nil) -> [JSON] {
    let key = Sample(schemas: schemas.map(\.id), types: types)
    if let known = samples[key] { return known }
    let generator = SampleGenerator(schemas: library, seed: "0")
    let whole = schema(of: schemas, types: types)
    let smallest = generator.smallestSample(of: whole, direction: direction, within: budget)
    let values = [smallest].compactMap(\.self).filter { value in
      types.map { !JSONTypeSet(of: value).isDisjoint(with: $0) } ?? true
    }
    samples[key] = values
    return values
  }

  /// Further values, among them those at the limits of the schemas.
  func manySamples(of schemas: [JSON]) -> [JSON] {
    let whole = schema(of: schemas)
    let varied = (0..<Self.seeds).compactMap {
      SampleGenerator(schemas: library, seed: "\($0)").sample(of: whole, direction: direction, within: budget)
    }
    let plain = SampleGenerator(schemas: library, seed: "0")
    let limits = plain.boundaries(of: whole, direction: direction, within: budget).map(\.value)
    // Short values are easier to read.
    return (varied + limits).map { (value: $0, size: JSONWriter.bytes($0).count) }.sorted { $0.size < $1.size }.map(
      \.value)
  }

  private var budget: WorkBudget { WorkBudget(Self.oneSample, within: work) }

  /// The number of varied values in a search.
  private static let seeds = 6

  /// A string that a pattern matches.
  func string(matching text: String) -> String? {
    pattern(text).flatMap { SampleGenerator(schemas: library, seed: "0").sample(matching: $0) }
  }

  // MARK: - Alternatives

  /// The schemas with their alternatives written out; `nil` beyond a limit.
  func variants(of schemas: [JSON]) -> SchemaVariants? {
    let key = schemas.map(\.id)
    if let known = expansions[key] { return known }
    let variants = SchemaVariants(schemas, self)
    expansions[key] = .some(variants)
    return variants
  }
}

extension Dialect {
  /// Whether a `$ref` hides the keywords beside it.
  fileprivate var hidesSiblings: Bool { !keywords.contains(.unevaluatedProperties) }
}
