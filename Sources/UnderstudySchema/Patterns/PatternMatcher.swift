internal import CUnderstudyPCRE2

/// The data of a pattern for matching; owned by its `Pattern`.
struct PatternMatcher {
  private enum Strategy: UInt8 { case expression, prefix, whole, run }

  private let strategy: Strategy
  /// Whether the expression can only match at the start of a text.
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

  /// Whether the pattern matches a text; `nil` if the answer takes much work.
  ///
  /// - Parameter fuel: The fuel, which is reduced by the cost.
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
      // A masking shift uses the low six bits of the byte.
      guard (byte & 64 == 0 ? low : high) &>> UInt64(byte) & 1 != 0 else { return false }
    }
    return seen < 128
  }

  /// Tries the expression under a small limit.
  ///
  /// PCRE2 counts steps separately for each position where a match could begin, and does not count the length of a
  /// repeated character. The cost is therefore bounded by the product of positions, steps and length, which the limit
  /// keeps small; `CountedSearch` handles the rest.
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

  /// The most steps times bytes of a search from one position.
  private static let soonWork = 1 << 16
  /// The most bytes of a text for an expression that is not anchored.
  private static let soonLength = 128
}
