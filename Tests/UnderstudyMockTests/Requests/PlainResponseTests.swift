import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct PlainResponseTests {
  private func forcing<R>(_ rule: String, _ body: (Mock) throws -> R) throws -> R {
    try ContractFixture(MockContract.notes).withMock(
      configure: { $0.forced = [ForcingRule(rule)].compactMap(\.self) }, body)
  }

  @Test func `a forced 5xx that an operation does not document is a plain answer`() throws {
    try forcing("*=503") { mock in
      #expect(mock.diagnostics.isEmpty)
      let plain = mock.send(.post, "/notes/1")
      #expect(plain.status == 503)
      #expect(plain.text == "503 Service Unavailable\n")
      #expect(plain.header("Content-Type") == "text/plain; charset=utf-8")
      #expect(plain.reason == "plain 503 (forced)")
    }
  }

  @Test func `an operation that documents the status answers with its own cell`() throws {
    try forcing("*=503") { #expect($0.send("/notes/1").reason == "sample readNote/5XX (forced)") }
  }

  @Test func `another status has a meaning that only the contract knows`() throws {
    try forcing("*=418") { mock in
      #expect(mock.diagnostics.map(\.message) == ["--force asks for `418`, which no operation has"])
    }
    try forcing("writeNote=503") { #expect($0.diagnostics.count == 1) }
  }
}
