public import Synchronization

/// A value that is made on first use and stored.
///
/// Two threads may make it at once; one of the two values is stored. That is cheaper than a lock at every request.
/// Public and inlinable, since other modules read it at every request.
public struct Lazy<Value: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the value, with a reference of its own. (`AtomicLazyReference` does the same, many times as slowly;
  /// an atomic `Unmanaged` looks for its type at each access.)
  @usableFromInline let address = Atomic<UInt>(0)

  /// A value that is yet to be made.
  @inlinable public init() {}

  @inlinable deinit { Self.reference(address.load(ordering: .acquiring))?.release() }

  /// The value, if it was made already.
  @inlinable public var current: Value? { Self.reference(address.load(ordering: .acquiring))?.takeUnretainedValue() }

  /// The value; `make` makes it on first use.
  @inlinable public func value(_ make: () -> Value) -> Value { current ?? store(make()) }

  @usableFromInline func store(_ new: Value) -> Value {
    let reference = Unmanaged.passRetained(new)
    let (isFirst, winner) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: reference.toOpaque()), ordering: .acquiringAndReleasing)
    if isFirst { return new }
    reference.release()
    return Self.reference(winner)?.takeUnretainedValue() ?? new
  }

  @inlinable static func reference(_ address: UInt) -> Unmanaged<Value>? {
    UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
  }
}
