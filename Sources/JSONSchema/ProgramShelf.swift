/// The large programs of a library: those that overlap become one, and those that were not used for longest are dropped
/// beyond a limit of bytes.
struct ProgramShelf {
  private var entries: [Entry] = []
  private let limit: Int

  private struct Entry {
    var source: ProgramSource
    /// The places in schemas that its instructions implement.
    var origins: Set<Origin>
  }

  init(limit: Int) { self.limit = limit }

  /// The number of programs that were not dropped.
  var count: Int { entries.count }

  /// The program that has four fifths of what another one has.
  func host(of program: Program, _ direction: Direction) -> ProgramSource? {
    let origins = program.origins
    return entries.first { entry in
      // Less would make one program of all schemas of a contract, which is compiled again with each of them.
      var absent = origins.count / 5
      return entry.source.direction == direction
        && origins.allSatisfy { origin in
          if entry.origins.contains(origin) { return true }
          absent -= 1
          return absent >= 0
        }
    }?.source
  }

  /// Notes a program that was just compiled, and drops others for it.
  mutating func note(_ source: ProgramSource, _ program: Program) {
    guard source.isLarge else { return }
    entries.removeAll { $0.source === source }
    entries.append(Entry(source: source, origins: Set(program.origins)))
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
