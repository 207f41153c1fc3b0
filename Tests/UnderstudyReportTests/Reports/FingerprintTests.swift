import Testing
import UnderstudyReport

/// Existing baselines have these digits, so their computation must not change.
struct FingerprintTests {
  private static func diagnostic(
    _ path: String, _ text: String, _ message: String, at pointer: String? = nil
  ) throws -> Diagnostic {
    let value = try #require(try JSONParser.parse(SourceFile(path: path, text: text)).root["name"])
    guard let pointer else { return Diagnostic(.responseBodySchema, message, at: Location(value)) }
    return Diagnostic(
      .responseBodySchema, message, at: Location(exchange: pointer),
      notes: [Diagnostic.Note("the contract", at: Location(value))])
  }

  private static func fingerprint(_ diagnostic: Diagnostic) -> String {
    Fingerprint.of(diagnostic, about: Reports.subject)
  }

  @Test func `the fingerprint of a finding in a file survives moved lines and another folder`() throws {
    let before = try Self.diagnostic("a/200.json", #"{"name": 7}"#, "expected string")
    let after = try Self.diagnostic("/b/c/200.json", "{\n\n  \"name\": 7}", "expected string")
    #expect(Self.fingerprint(before) == Self.fingerprint(after))
    #expect(Self.fingerprint(before) == "65ee38b9c2b631ca")
  }

  @Test func `the fingerprint of a finding in a file depends on its message`() throws {
    let one = try Self.diagnostic("200.json", #"{"name": 7}"#, "expected string")
    let other = try Self.diagnostic("200.json", #"{"name": 7}"#, "expected integer")
    #expect(Self.fingerprint(one) != Self.fingerprint(other))
  }

  @Test func `the fingerprint of a finding in an exchange depends on the line of the contract alone`() throws {
    let one = try Self.diagnostic("a/shop.json", #"{"name": {}}"#, "found 1", at: "/body/1")
    let other = try Self.diagnostic("b/shop.json", "{\n\"name\": {}}", "found 2", at: "/body/2/x")
    #expect(Self.fingerprint(one) == Self.fingerprint(other))
    #expect(Self.fingerprint(one) == "d62b729e52951e2b")
  }

  @Test func `the fingerprint of a check does not depend on its times and counts`() throws {
    let rule = try #require(Rule.named("check.retry-storm"))
    let (one, other) = (Diagnostic(rule, "repeated 4 times"), Diagnostic(rule, "repeated 5 times"))
    #expect(Self.fingerprint(one) == Self.fingerprint(other))
    #expect(Self.fingerprint(one) != Self.fingerprint(Diagnostic(.checkUnexpectedRequest, "repeated 4 times")))
  }

  @Test func `without a line of the contract, numbers and identifiers are not distinguished`() {
    func fingerprint(_ pointer: String) -> String {
      Self.fingerprint(Diagnostic(.responseStackTrace, "found", at: Location(exchange: pointer)))
    }
    #expect(fingerprint("/body/7") == fingerprint("/body/12"))
    #expect(fingerprint("/body/7") != fingerprint("/body/name"))
  }
}
