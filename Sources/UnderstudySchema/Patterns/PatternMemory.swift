internal import CUnderstudyPCRE2
import Synchronization

/// Memory for matching, borrowed by the first pattern that needs it, so that a validation costs no allocation.
struct PatternMemory {
  private struct Parts {
    /// Room for the whole match only, as groups are not read.
    let data = pcre2_match_data_create_8(1, nil)
    let context = pcre2_match_context_create_8(nil)
    /// A larger stack for compiled code.
    var stack: OpaquePointer?
    /// Whether the interpreter may have allocated memory, which it keeps.
    var hasGrown = false
  }

  /// The most bytes of stack for one match; memory that is not touched costs nothing.
  private static let stackLimit = 64 << 20
  /// The most kibibytes of heap for one match without compiled code.
  private static let heapLimit: UInt32 = 64 << 10

  private var parts: UnsafeMutablePointer<Parts>?

  /// The address of the spare memory; 0 while it is in use, when another thread allocates its own.
  private static let spare = Atomic<UInt>(0)

  /// Runs compiled code over a text; the result is that of `pcre2_match`.
  ///
  /// - Parameters:
  ///   - limit: The most steps from each position where a match could begin.
  ///   - hasLargeStack: Whether backtracking may need more than a few thousand steps.
  mutating func match(
    _ code: OpaquePointer?, _ text: UnsafeBufferPointer<UInt8>, limit: Int, hasLargeStack: Bool = false
  ) -> Int32 {
    let parts = prepared()
    if hasLargeStack, parts.pointee.stack == nil {
      parts.pointee.stack = pcre2_jit_stack_create_8(32 << 10, Self.stackLimit, nil)
      pcre2_jit_stack_assign_8(parts.pointee.context, nil, parts.pointee.stack.map { UnsafeMutableRawPointer($0) })
    }
    pcre2_set_match_limit_8(parts.pointee.context, UInt32(clamping: limit))
    if hasLargeStack { parts.pointee.hasGrown = true }
    return pcre2_match_8(
      code, text.baseAddress, text.count, 0, PCRE2_NO_UTF_CHECK, parts.pointee.data, parts.pointee.context)
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
