/// The ids of items: the member that has them, and new ones.
package enum ResourceIdentity {
  /// The member of an item that a path parameter such as `petId` names.
  static func member(of schema: ResolvedSchema, parameter: String) -> String? {
    let names = schema.properties.filter { property in
      let types = schema.schema(of: property).types
      return types.contains(.string) || types.contains(.integer) || types.contains(.number)
    }.map(\.name)
    let wanted = normal(parameter)
    let candidates = [wanted, "id", "_id", "uid", "uuid", "guid", "key", "slug", "code"]
    for candidate in candidates {
      if let name = names.first(where: { normal($0) == normal(candidate) }) { return name }
    }
    // `petId` of a path may be `number` of a pet, but `userName` is `name` or `username`.
    return names.first { wanted.hasSuffix(normal($0)) }
  }

  /// In lower case, without `_` and `-`. Inlined, it is large and slow to compile.
  @inline(never)
  package static func normal(_ name: String) -> String {
    String(
      decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }, as: UTF8.self)
  }

  /// A new id that no item has; the number of items that were made makes it different from others.
  package static func new(
    for schema: JSON?, in schemas: SchemaLibrary, number: Int, seed: String, items: [ResourceItem]
  ) -> JSON {
    let resolved = schema.map { schemas.resolved($0) } ?? .any
    if resolved.types.contains(.integer) || resolved.types.contains(.number) {
      let greatest = items.compactMap { Int($0.id) }.max() ?? 0
      let least = schema.flatMap {
        SampleGenerator(schemas: schemas, seed: "0").sample(of: $0, direction: .response)?.int
      }
      let last = max(greatest, min(max(least ?? 1, 1), 1_000_000) - 1)
      guard last == .max else { return .integer(last + 1) }
      // A client took the greatest one.
      let taken = Set(items.compactMap { Int($0.id) })
      return .integer((1...).first { !taken.contains($0) } ?? 0)
    }
    if resolved.hasFormat("uuid") {
      return .string(uuid(StableHash.of([seed, "uuid", String(number)])))
    }
    let texts = items.map(\.id)
    if !texts.isEmpty, let greatest = texts.compactMap({ Int($0) }).max(), texts.allSatisfy({ Int($0) != nil }),
      greatest < .max, resolved.types.contains(.string)
    {
      return .string(String(greatest + 1))
    }
    let isFree = schema.map { _ in !resolved.has(.pattern, .format, .minLength, .maxLength, .enum, .const) } ?? true
    guard !isFree, let schema else {
      let taken = Set(texts)
      return .string((number...).lazy.map { String($0) }.first { !taken.contains($0) } ?? String(number))
    }
    for attempt in 0..<50 {
      let generator = SampleGenerator(schemas: schemas, seed: "\(seed) \(number) \(attempt)")
      guard let id = generator.sample(of: schema, direction: .response) else { break }
      if !items.contains(where: { $0.id.utf8Equals(id.plainText) }) { return id }
    }
    return .string(String(number))
  }

  /// A UUID of version 4 (RFC 9562, 5.4).
  private static func uuid(_ start: UInt64) -> String {
    var random = SeededGenerator(state: start, isPlain: false, ordinal: 0)
    var digits = (0..<32).map { _ in Array("0123456789abcdef")[random.number(below: 16)] }
    digits[12] = "4"
    digits[16] = Array("89ab")[random.number(below: 4)]
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
