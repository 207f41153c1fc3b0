import Synchronization

/// A short list of values by their keys, which only grows, so that it is read without a lock.
///
/// For the few values that every request asks for; those that clients can make up belong behind a lock, with a limit.
package struct GrowingTable<Key: Equatable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  private final class Entry: Sendable {
    let key: Key
    let value: Value
    let next: Entry?
    let count: Int

    init(_ key: Key, _ value: Value, before next: Entry?) {
      (self.key, self.value, self.next) = (key, value, next)
      count = (next?.count ?? 0) + 1
    }
  }

  /// The newest entry, with a reference of its own; it is never replaced while a reader may see it, only preceded.
  private let newest = Atomic<Unmanaged<Entry>?>(nil)
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  deinit { newest.load(ordering: .acquiring)?.release() }

  package var isFull: Bool { newest.load(ordering: .acquiring)?.takeUnretainedValue().count ?? 0 >= limit }

  package subscript(key: Key) -> Value? {
    var entry = newest.load(ordering: .acquiring)?.takeUnretainedValue()
    while let known = entry {
      if known.key == key { return known.value }
      entry = known.next
    }
    return nil
  }

  /// Adds a value. Two threads may add one for the same key, of which either is found then.
  ///
  /// - Returns: Whether there was room.
  package func add(_ value: Value, for key: Key) -> Bool {
    while true {
      let next = newest.load(ordering: .acquiring)
      let first = next?.takeUnretainedValue()
      guard first?.count ?? 0 < limit else { return false }
      // The table's own reference to the entry that was the newest passes on to the new one.
      let entry = Unmanaged.passRetained(Entry(key, value, before: first))
      if newest.compareExchange(expected: next, desired: entry, ordering: .acquiringAndReleasing).exchanged {
        next?.release()
        return true
      }
      entry.release()
    }
  }
}
