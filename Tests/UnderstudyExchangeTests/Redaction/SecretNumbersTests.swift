import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct SecretNumbersTests {
  private static func exchange(_ token: String, _ path: String = "/x") -> Exchange {
    var request = HTTPRequest(method: .get, scheme: "http", authority: "t", path: path)
    request.headerFields[.authorization] = "Bearer \(token)"
    return Exchange(request)
  }

  private static func shown(_ token: String, by redactor: inout Redactor) -> String? {
    redactor.redact(exchange(token)).value.request.headerFields[.authorization]
  }

  @Test func `a refreshed token has another mark than the old one, which keeps its own`() {
    var redactor = Redactor(style: .numbered(SecretNumbers()))
    let shown = ["oldToken1234", "newToken5678", "oldToken1234"].map { Self.shown($0, by: &redactor) }
    #expect(shown == ["Bearer [redacted 1]", "Bearer [redacted 2]", "Bearer [redacted 1]"])
  }

  @Test func `redactors of one run give a secret the same number, whichever saw it first`() {
    let numbers = SecretNumbers()
    var log = Redactor(style: .numbered(numbers))
    var journal = Redactor(style: .numbered(numbers))
    _ = Self.shown("firstToken1", by: &journal)
    #expect(Self.shown("secondToken2", by: &log) == "Bearer [redacted 2]")
    #expect(Self.shown("secondToken2", by: &journal) == "Bearer [redacted 2]")
    #expect(Self.shown("firstToken1", by: &log) == "Bearer [redacted 1]")
  }

  @Test func `a secret beyond the limit has a mark without a number`() {
    var redactor = Redactor(style: .numbered(SecretNumbers(limit: 1)))
    let shown = ["firstToken1", "secondToken2", "firstToken1"].map { Self.shown($0, by: &redactor) }
    #expect(shown == ["Bearer [redacted 1]", "Bearer [redacted]", "Bearer [redacted 1]"])
  }

  @Test func `a mark with a number is not taken for a secret`() {
    var redactor = Redactor(style: .numbered(SecretNumbers()))
    #expect(Self.shown("[redacted 7]", by: &redactor) == "Bearer [redacted 7]")
    #expect(redactor.report.isEmpty)
  }

  @Test(arguments: [
    ("expected one of the values", "expected one of the values"), ("`expected`", "`[redacted 1]`"),
    (#"found "expected""#, #"found "[redacted 1]""#), ("a `b` expected `c`", "a `b` expected `c`"),
    ("`expected is cut", "`[redacted 1] is cut"),
  ])
  func `words of a message stay where they are not quoted`(message: String, shown: String) {
    var redactor = Redactor(style: .numbered(SecretNumbers()))
    _ = Self.shown("expected", by: &redactor)
    #expect(redactor.redact(message: message).value == shown)
  }

  @Test func `a secret that is not a word is hidden everywhere in a message`() {
    var redactor = Redactor(style: .numbered(SecretNumbers()))
    _ = Self.shown("oldToken1234", by: &redactor)
    #expect(redactor.redact(message: "found oldToken1234 there").value == "found [redacted 1] there")
  }

  @Test func `the credential of live runs hides no word of a media type`() {
    var redactor = Redactor(style: .marker)
    _ = Self.shown("understudy", by: &redactor)
    let message = "Content-Type `application/x-understudy` is not declared"
    #expect(redactor.redact(message: message).value == message)
  }
}
