package import SourceText

extension SchemaShape {
  /// Reads the shape of a schema; `resolve` gives the target of a schema that is a `$ref`.
  package init(_ schema: JSON?, resolve: (JSON) -> JSON?) {
    var budget = 2_000
    self = schema.map { Self.read($0, depth: 0, &budget, resolve) } ?? .any
  }

  /// Deeper parts are taken as any value: no style writes them anyway.
  private static let depthLimit = 4
  private static let combinationLimit = 24

  private static func read(
    _ schema: JSON, depth: Int, _ budget: inout Int, _ resolve: (JSON) -> JSON?
  ) -> SchemaShape {
    budget -= 1
    guard depth < depthLimit, budget > 0 else { return .any }
    var collector = Collector()
    collector.collect(schema, combinationLimit, resolve)
    var shape = SchemaShape(types: collector.types)
    shape.allowsOthers = collector.allowsOthers
    shape.delimiter = collector.delimiter
    for (name, property) in collector.properties {
      shape.properties.append(Property(name: name, shape: read(property, depth: depth + 1, &budget, resolve)))
    }
    shape.items = collector.items.map { [read($0, depth: depth + 1, &budget, resolve)] } ?? []
    shape.others = collector.others.map { [read($0, depth: depth + 1, &budget, resolve)] } ?? []
    return shape
  }

  /// What the branches of one schema say together.
  struct Collector {
    var types = Types.all
    var properties: [(name: String, schema: JSON)] = []
    private var names: Set<[UInt8]> = []
    private(set) var required: Set<String> = []
    private(set) var hasOrderedItems = false
    var items: JSON?
    var others: JSON?
    var allowsOthers = true
    var delimiter = UInt8(ascii: ",")

    init() {}

    init(_ schema: JSON?, resolve: (JSON) -> JSON?) {
      if let schema { collect(schema, combinationLimit, resolve) }
    }

    mutating func collect(_ schema: JSON, _ depth: Int, _ resolve: (JSON) -> JSON?) {
      guard depth > 0, schema.isObject else { return }
      if schema["$ref"] != nil, let target = resolve(schema) { collect(target, depth - 1, resolve) }
      types.formIntersection(Self.ownTypes(schema))
      for member in schema["properties"]?.members ?? JSON.object([]).members
      where names.insert(Array(member.name.utf8)).inserted {
        properties.append((member.name, member.value))
      }
      for name in schema["required"].map({ Array($0.elements) }) ?? [] {
        required.formUnion(name.string.map { [$0] } ?? [])
      }
      hasOrderedItems = hasOrderedItems || schema["prefixItems"] != nil
      if items == nil { items = schema["items"].flatMap { $0.isObject ? $0 : nil } }
      if schema["additionalProperties"]?.bool == false { allowsOthers = false }
      if others == nil { others = schema["additionalProperties"].flatMap { $0.isObject ? $0 : nil } }
      switch schema["collectionFormat"]?.string {
      case "ssv": delimiter = UInt8(ascii: " ")
      case "tsv": delimiter = UInt8(ascii: "\t")
      case "pipes": delimiter = UInt8(ascii: "|")
      default: break
      }
      for branch in schema["allOf"].map({ Array($0.elements) }) ?? [] { collect(branch, depth - 1, resolve) }
      for keyword in ["anyOf", "oneOf"] {
        guard let branches = schema[keyword], branches.count > 0 else { continue }
        collect(alternatives: branches, depth - 1, resolve)
      }
    }

    private mutating func collect(alternatives: JSON, _ depth: Int, _ resolve: (JSON) -> JSON?) {
      var union: Types = []
      for branch in alternatives.elements.prefix(100) {
        var inner = Collector()
        inner.collect(branch, min(depth, 6), resolve)
        union.formUnion(inner.types)
        for (name, schema) in inner.properties where names.insert(Array(name.utf8)).inserted {
          properties.append((name, schema))
        }
        items = items ?? inner.items
        others = others ?? inner.others
      }
      types.formIntersection(union)
    }

    private static func ownTypes(_ schema: JSON) -> Types {
      var types: Types = []
      if let name = schema["type"]?.string {
        types = named(name)
      } else if let names = schema["type"], names.isArray {
        for name in names.elements { types.formUnion(name.string.map(named) ?? []) }
      } else if let values = schema["enum"], values.isArray {
        for value in values.elements { types.formUnion(type(of: value)) }
      } else if let value = schema["const"] {
        types = type(of: value)
      }
      if types.isEmpty { return .all }
      return schema["nullable"]?.bool == true ? types.union(.null) : types
    }

    private static func named(_ name: String) -> Types {
      switch name {
      case "null": .null
      case "boolean": .boolean
      case "integer": .integer
      case "number": [.number, .integer]
      case "string", "file": .string
      case "array": .array
      case "object": .object
      default: .all
      }
    }

    private static func type(of value: JSON) -> Types {
      switch value.kind {
      case .null: .null
      case .true, .false: .boolean
      case .number: [.number, .integer]
      case .string: .string
      case .array: .array
      case .object: .object
      }
    }
  }
}
