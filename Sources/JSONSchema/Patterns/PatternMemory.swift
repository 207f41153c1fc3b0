internal import CPCRE2
import Synchronization

/// Working memory for matching, borrowed when the first pattern needs it: a verdict must not cost an allocation.
struct PatternMemory {
  private struct Parts {
    /// Only whether there is a match matters, never where its groups are.
    let data = pcre2_match_data_create_8(1, nil)
    let context = pcre2_match_context_create_8(nil)
    /// For what needs more stack than compiled code finds by itself.
    var stack: OpaquePointer?
    /// Whether the interpreter has worked in it, which keeps what it allocates.
    var hasGrown = false
  }

  /// Bytes of stack that one match may take; the system gives them only when they are touched.
  private static let stackLimit = 64 << 20
  /// Kibibytes of heap that one match may take where there is no compiled code.
  private static let heapLimit: UInt32 = 64 << 10

  private var parts: UnsafeMutablePointer<Parts>?

  /// The address of what was given back last; 0 while it is taken. One will do: a match is over before another thread
  /// wants it, and where it is not, that thread makes one of its own.
  private static let spare = Atomic<UInt>(0)

  /// Runs compiled code over a text; the result is that of `pcre2_match`.
  ///
  /// - Parameters:
  ///   - limit: Steps that it may take from each place where a match could begin.
  ///   - hasLargeStack: Whether it may remember more than a few thousand of them.
  mutating func match(
    _ code: OpaquePointer?, _ text: UnsafeBufferPointer<UInt8>, limit: Int, hasLargeStack: Bool = false
  ) -> Int32 {
    let parts = prepared()
    if hasLargeStack, parts.pointee.stack == nil {
      parts.pointee.stack = pcre2_jit_stack_create_8(32 << 10, Self.stackLimit, nil)
      pcre2_jit_stack_assign_8(parts.pointee.context, nil, parts.pointee.stack.map { UnsafeMutableRawPointer($0) })
    }
    pcre2_set_match_limit_8(parts.pointee.context, UInt32(clamping: limit))
    func run(_ options: UInt32) -> Int32 {
      pcre2_match_8(
        code, text.baseAddress, text.count, 0, PCRE2_NO_UTF_CHECK | options, parts.pointee.data, parts.pointee.context)
    }
    let result = run(0)
    if hasLargeStack { parts.pointee.hasGrown = true }
    return result
  }

  mutating func free() {
    guard let parts else { return }
    self.parts = nil
    if let stack = parts.pointee.stack {
      pcre2_jit_stack_assign_8(parts.pointee.context, nil, nil)
      pcre2_jit_stack_free_8(stack)
      parts.pointee.stack = nil
    }
    guard let surplus = parts.pointee.hasGrown ? parts : Self.exchange(for: parts) else { return }
    pcre2_match_data_free_8(surplus.pointee.data)
    pcre2_match_context_free_8(surplus.pointee.context)
    surplus.deallocate()
  }

  @inline(__always)
  private mutating func prepared() -> UnsafeMutablePointer<Parts> {
    if let parts { return parts }
    return prepare()
  }

  @inline(never)
  private mutating func prepare() -> UnsafeMutablePointer<Parts> {
    let parts = Self.exchange(for: nil) ?? Self.made()
    self.parts = parts
    return parts
  }

  private static func made() -> UnsafeMutablePointer<Parts> {
    let parts = UnsafeMutablePointer<Parts>.allocate(capacity: 1)
    parts.initialize(to: Parts())
    pcre2_set_heap_limit_8(parts.pointee.context, heapLimit)
    return parts
  }

  private static func exchange(for parts: UnsafeMutablePointer<Parts>?) -> UnsafeMutablePointer<Parts>? {
    UnsafeMutablePointer(bitPattern: spare.exchange(UInt(bitPattern: parts), ordering: .acquiringAndReleasing))
  }
}
