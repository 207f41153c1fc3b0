import SourceText

/// What one sample, or one walk through a value, need not find out twice.
final class SampleMemory {
  let patterns = NamePatterns()
  private var samplers: [String: PatternSampler?] = [:]
  private var lists: [[SchemaSpot]: [JSON]] = [:]
  private var dialects: [ObjectIdentifier: Dialect] = [:]

  /// `nil` for what cannot be read as a pattern.
  func sampler(_ pattern: String) -> PatternSampler? {
    if let known = samplers[pattern] { return known }
    let sampler = PatternSampler(pattern)
    samplers[pattern] = .some(sampler)
    return sampler
  }

  /// The values that all the lists hold.
  func list(_ lists: [JSON], _ make: () -> [JSON]) -> [JSON] {
    let key = lists.map(SchemaSpot.init)
    if let known = self.lists[key] { return known }
    let list = make()
    self.lists[key] = list
    return list
  }

  /// The dialect of a schema; documents that change it on the way count as of one dialect.
  func dialect(of schema: JSON, in library: SchemaLibrary) -> Dialect {
    let key = ObjectIdentifier(schema.document)
    if let known = dialects[key] { return known }
    let dialect = library.dialect(of: schema) ?? .draft2020
    dialects[key] = dialect
    return dialect
  }
}
