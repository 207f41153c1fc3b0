internal import CPCRE2
import Synchronization

/// A second form of a pattern in which every step is counted: for texts that the fast form takes too long for.
///
/// All of the text is searched in one match from its beginning, so that one count holds for all places where a match could
/// begin. And what repeats a single character without an end is made a group, since PCRE2 counts the turns of groups only.
/// It costs a few nanoseconds for each step, and never more than its limit.
final class CountedSearch: Sendable {
  private let text: String
  private let form = Mutex<Form?>(nil)

  /// Compiled when it is first needed; most patterns never are.
  private struct Form: @unchecked Sendable {
    // Unchecked, and sound: PCRE2 lets any number of threads match with compiled code.
    let code: OpaquePointer
    /// How far one step can run at most; `nil` where that is the text's end.
    let longestRun: Int?
    /// Whether one step can compare as much as half the text.
    let hasBackReferences: Bool

    /// How much more than one a step can cost.
    func weight(for count: Int) -> Int { 1 + ((longestRun ?? count) + (hasBackReferences ? count : 0)) / 32 }
  }

  /// Steps of one match, where they weigh 1: less than half a second.
  private static let mostSteps = 50_000_000
  /// Steps that one unit of fuel pays for.
  private static let stepsOfFuel = 16

  init(_ text: String) { self.text = text }

  deinit { form.withLock { if let form = $0 { pcre2_code_free_8(form.code) } } }

  /// Whether the pattern is found in a text; abandoned when that takes too many steps, or more than there is fuel for.
  func matches(
    _ text: UnsafeBufferPointer<UInt8>, using memory: inout PatternMemory, fuel: inout Int
  ) -> PatternMatch {
    guard let form = compiled() else { return .tooExpensive }
    let weight = form.weight(for: text.count)
    let most = max(Self.mostSteps / weight, 1)
    // PCRE2 does not report its steps. With a small limit first, the price is not much higher than the steps that were used.
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
      // Counted, it may be longer than PCRE2 takes.
      if form == nil { form = compile(countsSteps: true) ?? compile(countsSteps: false) }
      return form
    }
  }

  private func compile(countsSteps: Bool) -> Form? {
    var translation = PatternTranslation(text, countsSteps: countsSteps)
    guard let expression = try? translation.translate() else { return nil }
    // Anchored, so that it is tried from the beginning only, from where it goes on to every other place by itself.
    guard let code = try? PatternCode.compile("(?s:.)*?(?:\(expression))", options: PCRE2_ANCHORED).get() else {
      return nil
    }
    _ = pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    return Form(
      code: code, longestRun: countsSteps ? translation.largestCount : nil,
      hasBackReferences: PatternCode.hasBackReferences(code))
  }
}
