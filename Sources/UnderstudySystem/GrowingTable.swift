public import Synchronization

/// A short list of values by their keys, which only grows, so that it is read without a lock.
///
/// For the few values that every request asks for; those that clients can make up belong behind a lock, with a limit.
/// Public and inlinable, since other modules read it at every request.
public struct GrowingTable<Key: Equatable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline final class Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    @usableFromInline let next: Entry?
    let count: Int

    init(_ key: Key, _ value: Value, before next: Entry?) {
      (self.key, self.value, self.next) = (key, value, next)
      count = (next?.count ?? 0) + 1
    }
  }

  /// The address of the newest entry, with a reference of its own; it is never replaced while a reader may see it, only
  /// preceded.
  @usableFromInline let newest = Atomic<UInt>(0)
  private let limit: Int

  /// - Parameter limit: The most values that it takes.
  public init(limit: Int) { self.limit = limit }

  deinit { Self.reference(newest.load(ordering: .acquiring))?.release() }

  /// Whether it takes no further value.
  public var isFull: Bool { first?.count ?? 0 >= limit }

  @usableFromInline var first: Entry? {
    @inlinable get { Self.reference(newest.load(ordering: .acquiring))?.takeUnretainedValue() }
  }

  /// The value of a key, if it has one.
  @inlinable public subscript(key: Key) -> Value? {
    var entry = first
    while let known = entry {
      if known.key == key { return known.value }
      entry = known.next
    }
    return nil
  }

  /// Adds a value. Two threads may add one for the same key, of which either is found then.
  ///
  /// - Returns: `false` if the table is full.
  public func add(_ value: Value, for key: Key) -> Bool {
    while true {
      let next = newest.load(ordering: .acquiring)
      let first = Self.reference(next)?.takeUnretainedValue()
      guard first?.count ?? 0 < limit else { return false }
      // The table's own reference to the entry that was the newest passes on to the new one.
      let entry = Unmanaged.passRetained(Entry(key, value, before: first))
      let address = UInt(bitPattern: entry.toOpaque())
      if newest.compareExchange(expected: next, desired: address, ordering: .acquiringAndReleasing).exchanged {
        Self.reference(next)?.release()
        return true
      }
      entry.release()
    }
  }

  @inlinable static func reference(_ address: UInt) -> Unmanaged<Entry>? {
    UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
  }
}
