/// Work done side by side, with results in the order of the work.
enum Parallel {
  /// Runs `body` for every item, at most `width` at a time.
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], width: Int, _ body: @escaping @Sendable (Item) -> Result
  ) async -> [Result] {
    await withTaskGroup(of: (index: Int, result: Result).self) { group in
      var results = [Result?](repeating: nil, count: items.count)
      var next = 0
      func start() {
        guard next < items.count else { return }
        let (index, item) = (next, items[next])
        group.addTask { (index, body(item)) }
        next += 1
      }
      for _ in 0..<max(1, width) { start() }
      while let (index, result) = await group.next() {
        results[index] = result
        start()
      }
      return results.compactMap(\.self)
    }
  }
}
