internal import CPCRE2
import Synchronization

/// The part of a pattern that matching needs; owned by its `Pattern`.
struct PatternMatcher {
  /// Backtracking steps that one match may take.
  private static let matchLimit: UInt32 = 1_000_000
  /// Kibibytes of heap that one match may take.
  private static let heapLimit: UInt32 = 20_000

  private enum Strategy: UInt8 {
    case expression
    case prefix
    case whole
    case run
  }

  private let strategy: Strategy
  private let code: OpaquePointer?
  private let literal: UnsafePointer<UInt8>?
  private let literalCount: Int
  private let set: (low: UInt64, high: UInt64)
  private let lengths: (minimum: Int, maximum: Int)

  init(code: OpaquePointer) {
    strategy = .expression
    self.code = code
    literal = nil
    literalCount = 0
    set = (0, 0)
    lengths = (0, 0)
  }

  init(_ shortcut: PatternShortcut) {
    code = nil
    switch shortcut.form {
    case .prefix(let text), .whole(let text):
      let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
      for (position, byte) in text.enumerated() { memory[position] = byte }
      literal = UnsafePointer(memory)
      literalCount = text.count
      if case .prefix = shortcut.form { strategy = .prefix } else { strategy = .whole }
      set = (0, 0)
      lengths = (0, 0)
    case .run(let bytes, let range):
      strategy = .run
      literal = nil
      literalCount = 0
      var (low, high): (UInt64, UInt64) = (0, 0)
      for byte in bytes { if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) } }
      set = (low, high)
      lengths = (range.lowerBound, range.upperBound)
    }
  }

  func free() {
    literal?.deallocate()
    if let code { pcre2_code_free_8(code) }
  }

  @inline(__always)
  func matches(_ text: UnsafeBufferPointer<UInt8>, using data: inout PatternMatchData) -> PatternMatch {
    switch strategy {
    case .expression: search(text, &data)
    case .prefix: text.count >= literalCount && starts(text) ? .yes : .no
    case .whole: text.count == literalCount && starts(text) ? .yes : .no
    case .run: isRun(text) ? .yes : .no
    }
  }

  @inline(__always)
  private func starts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let literal else { return true }
    for position in 0..<literalCount where text[position] != literal[position] { return false }
    return true
  }

  private func isRun(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= lengths.minimum, text.count <= lengths.maximum else { return false }
    for byte in text {
      let isIn = byte < 64 ? set.low >> UInt64(byte) & 1 : byte < 128 ? set.high >> UInt64(byte - 64) & 1 : 0
      if isIn == 0 { return false }
    }
    return true
  }

  @inline(never)
  private func search(_ text: UnsafeBufferPointer<UInt8>, _ data: inout PatternMatchData) -> PatternMatch {
    data.prepare()
    let context = Self.context.pointer
    func run(_ options: UInt32) -> Int32 {
      pcre2_match_8(code, text.baseAddress, text.count, 0, PCRE2_NO_UTF_CHECK | options, data.data, context)
    }
    var result = run(0)
    // Compiled code has little stack; the interpreter takes its memory from the heap.
    if result == PCRE2_ERROR_JIT_STACKLIMIT {
      data.hasGrown = true
      result = run(PCRE2_NO_JIT)
    }
    if result >= 0 { return .yes }
    return result == PCRE2_ERROR_NOMATCH ? .no : .tooExpensive
  }

  private static let context = MatchContext(matchLimit: matchLimit, heapLimit: heapLimit)

  /// The limits of every match.
  ///
  /// Unchecked, and sound: it is written before anyone can see it, and matching only reads it.
  private struct MatchContext: @unchecked Sendable {
    let pointer = pcre2_match_context_create_8(nil)

    init(matchLimit: UInt32, heapLimit: UInt32) {
      pcre2_set_match_limit_8(pointer, matchLimit)
      pcre2_set_heap_limit_8(pointer, heapLimit)
    }
  }
}

/// Working memory for matching, borrowed when the first pattern needs it: a verdict must not cost an allocation.
struct PatternMatchData {
  fileprivate private(set) var data: OpaquePointer?
  /// Whether the interpreter has worked in it, which keeps what it allocates.
  fileprivate var hasGrown = false

  /// The address of what was given back last; 0 while it is taken. One will do: a match is over before another thread
  /// wants it, and where it is not, that thread makes one of its own.
  private static let spare = Atomic<UInt>(0)

  fileprivate mutating func prepare() {
    guard data == nil else { return }
    // Only whether there is a match matters, never where its groups are.
    data = Self.exchange(for: nil) ?? pcre2_match_data_create_8(1, nil)
  }

  mutating func free() {
    guard let data else { return }
    self.data = nil
    if let surplus = hasGrown ? data : Self.exchange(for: data) { pcre2_match_data_free_8(surplus) }
  }

  private static func exchange(for data: OpaquePointer?) -> OpaquePointer? {
    OpaquePointer(bitPattern: spare.exchange(UInt(bitPattern: data), ordering: .acquiringAndReleasing))
  }
}
