/// Parallel work whose results keep the order of the items.
enum Parallel {
  /// Runs `body` for every item, at most `width` at a time, and passes on each result as soon as those before it are.
  static func forEach<Item: Sendable, Result: Sendable>(
    _ items: [Item], width: Int, _ body: @escaping @Sendable (Item) async -> Result,
    inOrder consume: (Item, Result) -> Void
  ) async {
    await withTaskGroup(of: (index: Int, result: Result).self) { group in
      var waiting: [Int: Result] = [:]
      var started = 0
      var consumed = 0
      func start() {
        guard started < items.count else { return }
        let (index, item) = (started, items[started])
        group.addTask { (index, await body(item)) }
        started += 1
      }
      for _ in 0..<max(1, width) { start() }
      while let (index, result) = await group.next() {
        waiting[index] = result
        while let next = waiting.removeValue(forKey: consumed) {
          consume(items[consumed], next)
          consumed += 1
        }
        start()
      }
    }
  }
}
