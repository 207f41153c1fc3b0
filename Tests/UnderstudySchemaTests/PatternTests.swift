import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Regular expressions of ECMA-262, run by an engine of another tradition.
struct PatternTests {
  @Test(arguments: [
    ("^a$", "a", true), ("^a$", "a\n", false), ("a.c", "a\nc", false), ("a.c", "a\u{2028}c", false),
    ("a.c", "a😀c", true),
    ("[^]", "\n", true), ("a[]", "a", false), (#"^[\b]$"#, "\u{8}", true), (#"^\cJ$"#, "\n", true),
    (#"^\u{1F600}$"#, "😀", true), (#"^\uD83D\uDE00$"#, "😀", true), (#"^[\uD83D\uDE00]$"#, "😀", true),
    (#"^[^\uD800-\uDFFF]+$"#, "a😀", true), (#"^\x41\0$"#, "A\0", true),
    (#"^\d$"#, "٣", false), (#"^\w$"#, "é", false), (#"^\s$"#, "\u{FEFF}", true), (#"^[\S]$"#, "\u{FEFF}", false),
    (#"^\p{Lu}\p{Letter}$"#, "Éa", true), (#"^\p{Script=Greek}$"#, "α", true), (#"^\P{L}$"#, "1", true),
    (#"^(?<$_a1>b)\k<$_a1>$"#, "bb", true), (#"^(?<year>\d{4})-\k<year>$"#, "2024-2024", true),
    (#"^(a)?\1b$"#, "b", true), (#"^(a)?\1+b$"#, "b", true),
    (#"^(a)\1{2}b$"#, "aaab", true), (#"^\1+(a)$"#, "a", true),
    (#"^(?<n>a)?\k<n>+?b$"#, "b", true), (#"^\p{Assigned}\P{Assigned}$"#, "a\u{378}", true),
    (#"^[\p{Assigned}]$"#, "\u{378}", false),
    ("(?<=\\$)\\d", "$1", true),
    ("^[[:alpha:]]$", "a]", true), ("^[a&&b]$", "&", true), ("^a{,2}$", "a{,2}", true), (#"^[\w-]+$"#, "a-b", true),
    (#"^[\w-.]$"#, "-", true), ("^$", "", true), ("", "x", true), (#"^\/$"#, "/", true), (#"^\-$"#, "-", true),
    ("^]}$", "]}", true),
  ])
  func `a pattern matches as in ECMA-262`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try Pattern(ecma: pattern).matches(text) == (isMatch ? .yes : .no))
  }

  /// These are answered without the engine; the answers must be the same.
  @Test(arguments: [
    ("^x-", "x-a", true), ("^x-", "ax-", false), ("^x-", "x", false), (#"^a\.b$"#, "a.b", true),
    (#"^a\.b$"#, "a.b.c", false),
    (#"^a\.b$"#, "axb", false), ("^[a-z]+$", "abc", true), ("^[a-z]+$", "", false), ("^[a-z]*$", "", true),
    ("^[a-z]+$", "aBc", false), ("^[a-z]+$", "é", false), (#"^[\w.-]{2,3}$"#, "a.", true),
    (#"^[\w.-]{2,3}$"#, "abcd", false),
    ("^[0-9]{2}$", "12", true), ("^[0-9]{2,}$", "1", false), ("^[a-z]$", "ab", false), ("^[^a]$", "b", true),
    ("^a+$", "aaa", true),
    ("^[a-z]{+2}$", "ab", false), ("^[a-z]{+2}$", "a{2}", true), ("^[a-z]{2,+3}$", "ab", false),
    ("^[a-z]{1,100000}$", "ab", true), ("^[a-z]{1,100000}$", "", false),
    ("^a|b", "xb", true), ("^ab?", "a", true), ("^a{2}", "a", false), ("^[a-z]+-$", "a-", true),
  ])
  func `a simple pattern matches the same without the engine`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try Pattern(ecma: pattern).matches(text) == (isMatch ? .yes : .no))
  }

  /// Each turn of a repetition forgets its groups (ECMA-262, 22.2.2.3.1); PCRE2 remembers them.
  @Test(arguments: [
    #"^(a\1)+$"#, #"(?<n>a)|(?<n>b)\k<n>"#, #"\p{CWKCF}"#, #"\p{Script=Some_Script_To_Come}"#,
    #"^(?:(a)|b)*\1$"#, #"^(?:(a)?b)+\1$"#, #"^(?:\1(a))*$"#, #"^(a\1)*$"#, #"^(?:(?:(a)*b)x)*\1$"#,
    #"^(?:(?<n>a)|b){2}\k<n>$"#, #"^(?:(?:(?=(a))|b).)+\1$"#,
    #"(?<=(b)c(?=\1))$"#, #"(?<=(?=\1)(b))$"#,
    "^" + String(repeating: "()", count: 70) + #"\70$"#,
  ])
  func `a reference to a group that a repetition may skip is refused as a limit`(pattern: String) {
    #expect(Pattern.problem(pattern) == nil)
    #expect(throws: PatternProblem.self) { try Pattern(ecma: pattern) }
  }

  @Test(arguments: [
    (#"^(?:(["']).*?\1,?)+$"#, #""a",'b'"#, true), (#"^(?:(["']).*?\1,?)+$"#, #""a",'b"#, false),
    (#"^(?:(a)\1|b)*$"#, "aab", true), (#"^(?:(a)|b)?\1$"#, "b", true), (#"^(?:x(?:(a)|(b)))+$"#, "xaxb", true),
    (#"^(?:(a|b)c)+\1$"#, "acbcb", true), (#"^(?:(a|b)c)+\1$"#, "acbca", false), (#"^(a)*\1$"#, "aa", true),
    (#"^(a)(?:b|c\1)*$"#, "abca", true), (#"^(?:(a)|b){1}\1$"#, "b", true),
    (#"^(?:(?:(a))(?:b|c)\1)*$"#, "abaaca", true),
  ])
  func `a reference to a group that always takes part is supported`(pattern: String, text: String, isMatch: Bool) throws
  {
    #expect(try Pattern(ecma: pattern).matches(text) == (isMatch ? .yes : .no))
  }

  @Test(arguments: [
    "(", ")", "[a", "a**", "a++", "(?i)a", "(?>a)", "(?P<n>a)", "(*ACCEPT)", #"\A"#, #"a\Z"#, #"\a"#, #"\h"#, "[b-a]",
    #"\1"#,
    #"\k<n>(?<m>)"#, #"\u{+41}"#, #"\u{}"#, "(?<1a>b)", "(?<a-b>c)", #"\u{110000}"#, #"\x4"#, #"\p{Nonsense}"#, #"\"#,
    "*a", "a{3,2}",
  ])
  func `syntax outside of ECMA-262 is refused`(pattern: String) {
    #expect(Pattern.problem(pattern) != nil)
  }

  @Test(arguments: [
    "^.{1,100000}$", "a{0,70000}", "(?<=a+)b", String(repeating: "(", count: 300) + String(repeating: ")", count: 300),
  ])
  func `a limit of the engine is not a fault of the pattern`(pattern: String) {
    #expect(Pattern.problem(pattern) == nil)
    #expect(throws: PatternProblem.self) { try Pattern(ecma: pattern) }
  }
}
