import Testing
import UnderstudyTestSupport

/// Code that passes a value with its secrets to an output is rejected by the compiler.
@Suite(.enabled(if: CompiledSnippet.isAvailable, "skipped: no swiftc, or no modules"))
struct RedactedOutputTests {
  private func errors(_ code: String) throws -> [String] {
    try CompiledSnippet.errors(
      "import UnderstudyCommand\nimport UnderstudyMock\nimport UnderstudyRecording\nimport UnderstudyVerification\n"
        + code)
  }

  @Test func `redacted values reach the log, a HAR file and a fixture`() throws {
    let found = try errors(
      """
      func print(_ text: Redacted<String>, in log: LineQueue) { log.append(text) }
      func store(_ entry: Redacted<[UInt8]>, in file: inout HAROutput) throws { try file.append([entry], lost: 0) }
      func record(_ exchange: Redacted<Exchange>, of operation: CompiledOperation) -> RecordedAnswer? {
        RecordedAnswer(exchange, of: operation)
      }
      func shorten(_ text: Redacted<String>) -> Redacted<String> { text.map { String($0.prefix(80)) } }
      """)
    #expect(found == [])
  }

  @Test(arguments: [
    (
      "func print(_ target: String, in log: LineQueue) { log.append(target) }",
      "cannot convert value of type 'String' to expected argument type 'Redacted<String>'"
    ),
    (
      "func store(_ entry: [UInt8], in file: inout HAROutput) throws { try file.append([entry], lost: 0) }",
      "cannot convert value of type '[UInt8]' to expected element type 'Redacted<[UInt8]>'"
    ),
    (
      "func record(_ exchange: Exchange, of operation: CompiledOperation) { _ = RecordedAnswer(exchange, of: operation) }",
      "cannot convert value of type 'Exchange' to expected argument type 'Redacted<Exchange>'"
    ),
    (
      "func trust(_ text: String) -> Redacted<String> { Redacted(text) }",
      "'Redacted<Value>' initializer is inaccessible due to 'internal' protection level"
    ),
  ])
  func `a value with its secrets does not compile there`(_ code: String, _ error: String) throws {
    #expect(try errors(code) == [error])
  }
}
