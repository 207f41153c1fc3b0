/// A cache of pattern samplers and lists of values for one attempt at a sample.
final class SampleCache {
  private var samplers: [String: PatternSampler?] = [:]
  private var lists: [[NodeID]: [JSON]] = [:]

  /// `nil` for a text that cannot be read as a pattern.
  func sampler(_ pattern: String) -> PatternSampler? {
    if let known = samplers[pattern] { return known }
    let sampler = PatternSampler(pattern)
    samplers[pattern] = .some(sampler)
    return sampler
  }

  /// The values in all the lists.
  func list(_ lists: [JSON], _ make: () -> [JSON]) -> [JSON] {
    let key = lists.map(\.id)
    if let known = self.lists[key] { return known }
    let list = make()
    self.lists[key] = list
    return list
  }
}
