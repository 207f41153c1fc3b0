/// The exchanges of a session in memory, up to a limit: what differs in a second pass is known only after both.
package struct HeldSession: Sendable {
  package private(set) var exchanges: [Exchange] = []
  /// The exchanges beyond the limit.
  package private(set) var lost = 0
  private var bytes = 0

  /// All bodies together: 256 MiB.
  package static let limit = 256 << 20

  package init() {}

  package mutating func add(_ entry: Exchange, isOwn: Bool) {
    let size = entry.requestBody.bytes.count + (entry.response?.body.bytes.count ?? 0)
    guard bytes + size <= Self.limit else {
      lost += 1
      return
    }
    bytes += size
    var entry = entry
    // Unique in a session of several files.
    entry.position.index = exchanges.count
    entry.isOwn = isOwn
    exchanges.append(entry)
  }
}
