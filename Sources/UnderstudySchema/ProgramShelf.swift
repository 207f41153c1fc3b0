/// The large programs of a library: those that overlap become one, and those that were not used for longest are dropped
/// beyond a limit of bytes.
struct ProgramShelf {
  private var entries: [Entry] = []
  private let limit: Int

  private struct Entry {
    var source: ProgramSource
    /// The places in schemas that its instructions implement, or will.
    var origins: OriginSet
  }

  init(limit: Int) { self.limit = limit }

  /// The number of programs that were not dropped.
  var count: Int { entries.count }

  /// The program that has four fifths of what another one has.
  func host(of origins: OriginSet, _ direction: Direction) -> ProgramSource? {
    // Less would make one program of all schemas of a contract, which is compiled again with each of them.
    let most = origins.count / 5
    return entries.first { entry in
      entry.source.direction == direction && origins.isSubset(of: entry.origins, exceptFor: most)
    }?.source
  }

  /// Notes that a program will have more places when it is compiled again.
  mutating func extend(_ source: ProgramSource, by origins: OriginSet) {
    for entry in entries.indices where entries[entry].source === source { entries[entry].origins.formUnion(origins) }
  }

  /// Notes a program that was just compiled, and drops others for it.
  mutating func note(_ source: ProgramSource, _ program: Program) {
    guard source.isLarge else { return }
    entries.removeAll { $0.source === source }
    entries.append(Entry(source: source, origins: program.origins))
    var bytes = entries.reduce(0) { $0 + $1.source.bytes }
    // The last one is needed now. Of the others each is passed over once at most, if it was used since the last time.
    var passes = entries.count - 1
    while bytes > limit, entries.count > 1 {
      let oldest = entries.removeFirst()
      if oldest.source === source || (passes > 0 && oldest.source.takeUse()) {
        entries.append(oldest)
      } else {
        oldest.source.drop()
        bytes -= oldest.source.bytes
      }
      passes -= 1
    }
  }
}
