import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Required headers of answers that no mock can send.
struct UnsendableHeaderTests {
  private static func findings(_ headers: String) async throws -> [String] {
    let operation = """
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: OK
          headers:
            \(headers)
      """
    let verified = try await ContractFixture(operation: operation, version: "3.0.3").verified()
    return verified.report.findings.filter { $0.severity == .error }.map(\.message)
  }

  @Test(arguments: [
    #"X-Next: {required: true, schema: {type: string, enum: ["a\nb"]}}"#,
    #"X-Next: {required: true, schema: {type: string, example: "a\nb", enum: ["a\nb"]}}"#,
    #"X-Next: {required: true, content: {text/plain: {schema: {type: string, enum: ["a\u0000b"]}}}}"#,
  ]) func `a required header whose values all have line ends or control characters is an error`(
    _ header: String
  ) async throws {
    #expect(
      try await Self.findings(header) == [
        "the required header `X-Next` has no value that can be sent: a field has no line ends and control characters"
      ])
  }

  @Test func `a required header whose name is not a token is an error`() async throws {
    #expect(
      try await Self.findings(#""X Next": {required: true, schema: {type: string}}"#) == [
        "the required header `X Next` cannot be sent: its name is not a token"
      ])
  }

  @Test func `a required header whose example cannot be sent is an error, although a sample is sent`() async throws {
    #expect(
      try await Self.findings(#"X-Next: {required: true, schema: {type: string}, example: "a\nb"}"#) == [
        "the example cannot be sent: a header field has no line ends and control characters"
      ])
  }

  @Test func `an optional header that cannot be sent is omitted without an error`() async throws {
    #expect(try await Self.findings(#"X-Next: {schema: {type: string, enum: ["a\nb"]}}"#) == [])
  }
}
