public import Synchronization

/// A value behind a lock: the only kind of lock of the project, so that a test can tell which threads share one.
///
/// Public and inlinable, since the compiler specializes no `package` function for the types of other modules.
public struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let place: LockCensus.Place

  /// - Parameters:
  ///   - value: What the lock protects.
  ///   - file: Names the lock in a census.
  ///   - line: Names it as well.
  @inlinable
  public init(_ value: consuming sending Value, file: StaticString = #fileID, line: Int = #line) {
    mutex = Mutex(value)
    place = LockCensus.Place(file: file, line: line)
  }

  /// Runs `body` with the value, while no other thread has it.
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    if LockCensus.isOpen { LockCensus.note(place) }
    return try mutex.withLock(body)
  }
}

/// Counts which threads take which locks, for tests.
public enum LockCensus {
  /// Which lock it is, and where it was made.
  @usableFromInline struct Place: Sendable {
    let number: Int
    let file: StaticString
    let line: Int

    @usableFromInline init(file: StaticString, line: Int) {
      number = LockCensus.made.add(1, ordering: .relaxed).newValue
      self.file = file
      self.line = line
    }
  }

  /// A lock and the number of times that each thread took it.
  public struct Row: Sendable {
    /// `UnderstudyMock/Journal.swift:12`, of the line that made the lock.
    public let name: String
    /// The number of times that each thread took the lock.
    public internal(set) var takes: [Int: Int]
  }

  @usableFromInline static let open = Atomic(false)
  private static let made = Atomic(0)
  private static let rows = Mutex<[Int: Row]>([:])

  @usableFromInline static var isOpen: Bool { @inlinable get { open.load(ordering: .relaxed) } }

  /// Begins a census, or ends it.
  ///
  /// - Returns: The locks that were taken since it began.
  @discardableResult
  public static func count(_ isOpen: Bool) -> [Row] {
    open.store(isOpen, ordering: .sequentiallyConsistent)
    return rows.withLock { rows in
      defer { rows = [:] }
      return Array(rows.values)
    }
  }

  /// The current thread, as rows name it.
  public static var thread: Int { withUnsafeBytes(of: pthread_self()) { $0.load(as: Int.self) } }

  @usableFromInline static func note(_ place: Place) {
    let thread = thread
    rows.withLock { rows in
      rows[place.number, default: Row(name: "\(place.file):\(place.line)", takes: [:])].takes[thread, default: 0] += 1
    }
  }
}
