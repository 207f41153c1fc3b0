import Synchronization

/// A value that is made on first use and kept.
///
/// Two threads may make it at once; one of the two values is kept. That is cheaper than a lock at every request.
struct Lazy<Value: AnyObject & Sendable>: ~Copyable, Sendable {
  /// Holds a reference of its own. (`AtomicLazyReference` does the same, many times as slowly.)
  private let made = Atomic<Unmanaged<Value>?>(nil)

  deinit { made.load(ordering: .acquiring)?.release() }

  /// The value; `make` makes it on first use.
  func value(_ make: () -> Value) -> Value {
    if let known = made.load(ordering: .acquiring) { return known.takeUnretainedValue() }
    let new = make()
    let reference = Unmanaged.passRetained(new)
    let (isFirst, winner) = made.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
    if isFirst { return new }
    reference.release()
    return winner?.takeUnretainedValue() ?? new
  }
}
