package import Synchronization

/// A value that is made on first use and stored.
///
/// Two threads may make it at once; one of the two values is stored. That is cheaper than a lock at every request.
/// Inlinable, since other modules read it at every request.
package struct Lazy<Value: AnyObject & Sendable>: ~Copyable, Sendable {
  /// Holds a reference of its own. (`AtomicLazyReference` does the same, many times as slowly.)
  @usableFromInline package let made = Atomic<Unmanaged<Value>?>(nil)

  @inlinable package init() {}

  @inlinable deinit { made.load(ordering: .acquiring)?.release() }

  /// The value, if it was made already.
  @inlinable package var current: Value? { made.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// The value; `make` makes it on first use.
  @inlinable package func value(_ make: () -> Value) -> Value {
    if let known = made.load(ordering: .acquiring) { return known.takeUnretainedValue() }
    let new = make()
    let reference = Unmanaged.passRetained(new)
    let (isFirst, winner) = made.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
    if isFirst { return new }
    reference.release()
    return winner?.takeUnretainedValue() ?? new
  }
}
