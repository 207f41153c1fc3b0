internal import CUnderstudyPCRE2
import UnderstudySystem

/// A form of a pattern that counts every step, for texts that take the fast form too long.
///
/// One match from the start of the text searches all of it, so that one count covers all positions where a match could
/// begin. Unbounded repetitions of a single character become groups, since PCRE2 counts only the turns of groups. A
/// step costs a few nanoseconds, and the search stops at its limit.
final class CountedSearch: Sendable {
  private let text: String
  private let form = Lock<Form?>(nil)

  /// Compiled when it is first needed; most patterns never are.
  private struct Form: @unchecked Sendable {
    // Unchecked, and safe: PCRE2 lets any number of threads match with compiled code.
    let code: OpaquePointer
    /// The most characters that one step can read; `nil` for the whole text.
    let longestRun: Int?
    /// Whether one step can compare up to half the text.
    let hasBackReferences: Bool

    /// The most that a step can cost.
    func weight(for count: Int) -> Int { 1 + ((longestRun ?? count) + (hasBackReferences ? count : 0)) / 32 }
  }

  /// The most steps of one match with a weight of 1: less than half a second.
  private static let mostSteps = 50_000_000
  /// Steps that one unit of fuel pays for.
  private static let stepsOfFuel = 16

  init(_ text: String) { self.text = text }

  deinit { form.withLock { if let form = $0 { pcre2_code_free_8(form.code) } } }

  /// Whether the pattern matches a text; stops if that takes too many steps or too much fuel.
  func matches(
    _ text: UnsafeBufferPointer<UInt8>, using memory: inout PatternMemory, fuel: inout Int
  ) -> PatternMatch {
    guard let form = compiled() else { return .tooExpensive }
    let weight = form.weight(for: text.count)
    let most = max(Self.mostSteps / weight, 1)
    // PCRE2 does not report its steps; starting with a small limit keeps the price close to the steps used.
    var limit = min(text.count * 4 + 16_000, most)
    while true {
      fuel -= limit * weight / Self.stepsOfFuel
      guard fuel > 0 else { return .tooExpensive }
      let result = memory.match(form.code, text, limit: limit, hasLargeStack: true)
      if result >= 0 { return .yes }
      if result == PCRE2_ERROR_NOMATCH { return .no }
      guard result == PCRE2_ERROR_MATCHLIMIT, limit < most else { return .tooExpensive }
      limit = min(limit * 8, most)
    }
  }

  private func compiled() -> Form? {
    form.withLock { form in
      // The counted form may be too long for PCRE2.
      if form == nil { form = compile(countsSteps: true) ?? compile(countsSteps: false) }
      return form
    }
  }

  private func compile(countsSteps: Bool) -> Form? {
    var translation = PatternTranslation(text, countsSteps: countsSteps)
    guard let expression = try? translation.translate() else { return nil }
    // Anchored: PCRE2 tries only the start, and the leading repetition reaches every other position.
    guard let code = try? PatternCode.compile("(?s:.)*?(?:\(expression))", options: PCRE2_ANCHORED).get() else {
      return nil
    }
    _ = pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    return Form(
      code: code, longestRun: countsSteps ? translation.largestCount : nil,
      hasBackReferences: PatternCode.hasBackReferences(code))
  }
}
