internal import CPCRE2

/// The part of a pattern that matching needs; owned by its `Pattern`.
struct PatternMatcher {
  private enum Strategy: UInt8 { case expression, prefix, whole, run }

  private let strategy: Strategy
  /// Whether the expression can match at the beginning of a text only.
  private let isAnchored: Bool
  private let code: OpaquePointer?
  private let literal: UnsafePointer<UInt8>?
  private let literalCount: Int
  private let set: (low: UInt64, high: UInt64)
  private let lengths: (minimum: Int, maximum: Int)

  init(code: OpaquePointer) {
    strategy = .expression
    isAnchored = PatternCode.isAnchored(code)
    self.code = code
    literal = nil
    literalCount = 0
    set = (0, 0)
    lengths = (0, 0)
  }

  init(_ shortcut: PatternShortcut) {
    isAnchored = true
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

  /// Whether the pattern is found in a text; `nil` when the answer takes more than a little work.
  ///
  /// - Parameter fuel: Reduced by the cost of the work.
  @inline(__always)
  func matchesSoon(
    _ text: UnsafeBufferPointer<UInt8>, using memory: inout PatternMemory, fuel: inout Int
  ) -> Bool? {
    switch strategy {
    case .expression: return search(text, &memory, &fuel)
    case .prefix: return text.count >= literalCount && starts(text)
    case .whole: return text.count == literalCount && starts(text)
    case .run:
      fuel &-= text.count >> 8
      return isRun(text)
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
    let (low, high) = set
    var seen: UInt8 = 0
    for byte in text {
      seen |= byte
      // A masking shift takes the low six bits of the byte for its place in the word.
      guard (byte & 64 == 0 ? low : high) &>> UInt64(byte) & 1 != 0 else { return false }
    }
    return seen < 128
  }

  /// Tries the expression as fast as it goes.
  ///
  /// PCRE2 counts steps from each place anew where a match could begin, and does not count how far a repeated character
  /// runs. So what a search costs at most is the product of places, steps and length: the limit keeps that small, and what
  /// is more is left to `CountedSearch`.
  @inline(never)
  private func search(
    _ text: UnsafeBufferPointer<UInt8>, _ memory: inout PatternMemory, _ fuel: inout Int
  ) -> Bool? {
    let count = text.count
    let limit: Int
    if isAnchored {
      limit = max(16, min(64 + 2 * count, Self.soonWork / max(count, 1)))
      fuel &-= 4 + count / 2
    } else {
      guard count <= Self.soonLength else { return nil }
      limit = 32
      fuel &-= 4 + count * count / 32
    }
    let result = memory.match(code, text, limit: limit)
    if result >= 0 { return true }
    return result == PCRE2_ERROR_NOMATCH ? false : nil
  }

  /// Steps times bytes that a search may take from one place.
  private static let soonWork = 1 << 16
  /// Bytes of a text in which a search may begin anywhere.
  private static let soonLength = 128
}
