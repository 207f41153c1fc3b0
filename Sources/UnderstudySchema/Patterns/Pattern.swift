internal import CUnderstudyPCRE2

/// A regular expression of ECMA-262 with the flag `u`, run by PCRE2.
package final class Pattern: @unchecked Sendable {
  // Unchecked, and safe: compiled code is immutable, and PCRE2 lets any number of threads match with it.
  let matcher: PatternMatcher
  /// The search in texts that take the matcher too long.
  private let countedSearch: CountedSearch
  /// The pattern as written.
  package let text: String

  /// The fuel of one match outside of a validation.
  private static let fuel = 4_000_000

  /// Compiles a pattern of a schema; without anchors it matches anywhere in a string.
  package init(ecma text: String) throws(PatternProblem) {
    self.text = text
    countedSearch = CountedSearch(text)
    // Compiled even if a shortcut replaces it, to report invalid patterns.
    var translation = PatternTranslation(text)
    let expression = try translation.translate()
    switch (PatternCode.compile(expression, namesScript: translation.namesScript), PatternShortcut(text)) {
    case (.success(let code), let shortcut?):
      pcre2_code_free_8(code)
      matcher = PatternMatcher(shortcut)
    case (.success(let code), nil):
      // Without the just-in-time compiler it only runs slower.
      _ = pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
      matcher = PatternMatcher(code: code)
    case (.failure(let problem), let shortcut?) where problem.isLimit:
      matcher = PatternMatcher(shortcut)
    case (.failure(let problem), _): throw problem
    }
  }

  deinit { matcher.free() }

  /// Whether the pattern matches a text.
  package func matches(_ text: String, within budget: WorkBudget? = nil) -> PatternMatch {
    var text = text
    var memory = PatternMemory()
    defer { memory.free() }
    let granted = budget?.grant(Self.fuel) ?? Self.fuel
    var fuel = granted
    defer { budget?.take(granted - max(fuel, 0), isShort: fuel <= 0 && granted < Self.fuel) }
    return text.withUTF8 { text in
      if let isMatch = matcher.matchesSoon(text, using: &memory, fuel: &fuel) { return isMatch ? .yes : .no }
      return matchesLater(text, using: &memory, fuel: &fuel)
    }
  }

  /// Matches a text that the matcher gave up.
  func matchesLater(
    _ text: UnsafeBufferPointer<UInt8>, using memory: inout PatternMemory, fuel: inout Int
  ) -> PatternMatch {
    countedSearch.matches(text, using: &memory, fuel: &fuel)
  }

  private static func code(_ text: String) throws(PatternProblem) -> OpaquePointer {
    var translation = PatternTranslation(text)
    let expression = try translation.translate()
    return try PatternCode.compile(expression, namesScript: translation.namesScript).get()
  }
}

/// An expression compiled by PCRE2.
enum PatternCode {
  /// - Parameter namesScript: Whether an unknown property may be a script of a newer version of Unicode.
  static func compile(
    _ expression: String, options: UInt32 = 0, namesScript: Bool = false
  ) -> Result<OpaquePointer, PatternProblem> {
    let text = Array(expression.utf8)
    let options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | options
    var error: Int32 = 0
    var offset = 0
    // PCRE2 needs an address, which an empty array may not have.
    let code = (text + [0]).withUnsafeBufferPointer {
      pcre2_compile_8($0.baseAddress, text.count, options, &error, &offset, nil)
    }
    guard let code else {
      let isNewScript = namesScript && error == PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY
      return .failure(PatternProblem(message(of: error), isLimit: isNewScript || limits.contains(error)))
    }
    return .success(code)
  }

  static func isAnchored(_ code: OpaquePointer) -> Bool { number(PCRE2_INFO_ALLOPTIONS, code) & PCRE2_ANCHORED != 0 }

  static func hasBackReferences(_ code: OpaquePointer) -> Bool { number(PCRE2_INFO_BACKREFMAX, code) > 0 }

  private static func number(_ question: Int32, _ code: OpaquePointer) -> UInt32 {
    var answer: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(question), &answer)
    return answer
  }

  /// The errors of PCRE2 for valid expressions that exceed its limits.
  private static let limits: Set<Int32> = [
    PCRE2_ERROR_QUANTIFIER_TOO_BIG, PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP, PCRE2_ERROR_PATTERN_TOO_LARGE,
    PCRE2_ERROR_HEAP_FAILED, PCRE2_ERROR_PARENTHESES_STACK_CHECK, PCRE2_ERROR_PATTERN_TOO_COMPLICATED,
    PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH, PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED, PCRE2_ERROR_LOOKBEHIND_TOO_LONG,
    PCRE2_ERROR_PATTERN_STRING_TOO_LONG,
  ]

  private static func message(of error: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = buffer.withUnsafeMutableBufferPointer { pcre2_get_error_message_8(error, $0.baseAddress, $0.count) }
    return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
  }
}

/// The reason why a pattern is invalid or not supported.
package struct PatternProblem: Error, Sendable {
  package let message: String
  package let help: String?
  /// Whether the pattern is valid by ECMA-262 and exceeds a limit of PCRE2.
  package let isLimit: Bool

  init(_ message: String, help: String? = nil, isLimit: Bool = false) {
    self.message = message
    self.help = help
    self.isLimit = isLimit
  }
}

/// The result of a search for a pattern in a text; `tooExpensive` if it takes too many steps.
package enum PatternMatch: Sendable { case yes, no, tooExpensive }

extension Pattern {
  /// The reason why a text is not a regular expression of ECMA-262; `nil` if it is one.
  package static func problem(_ text: String) -> String? {
    do throws(PatternProblem) {
      pcre2_code_free_8(try code(text))
      return nil
    } catch {
      return error.isLimit ? nil : error.message
    }
  }
}
