import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Code that takes the state of a lane and does not give it back is rejected by the compiler.
@Suite(.enabled(if: CompiledSnippet.isAvailable, "skipped: no swiftc, or no modules"))
struct LaneTransactionTests {
  private func errors(_ body: String) throws -> [String] {
    try CompiledSnippet.errors(
      "@testable import UnderstudyMock\nfunc changed(_ state: inout LaneState) {\n\(body)\n}\n")
  }

  @Test func `a transaction that ends with its closure compiles`() throws {
    #expect(try errors("state.change(at: 0, seed: \"\") { $0.state.seed = \"1\" }") == [])
  }

  @Test func `a transaction that no closure ends does not compile`() throws {
    let found = try errors("var lane = LaneTransaction(at: 0, seed: \"\")\nswap(&lane.state, &state)")
    #expect(found == ["'LaneTransaction' initializer is inaccessible due to 'fileprivate' protection level"])
  }

  @Test(arguments: [
    "var kept: [LaneState] = []\nstate.change(at: 0, seed: \"\") { lane in let mine = lane; kept.append(mine.state) }",
    "func end(_ lane: consuming LaneTransaction) {}\nstate.change(at: 0, seed: \"\") { lane in end(lane) }",
  ])
  func `a closure that keeps its transaction does not compile`(_ body: String) throws {
    #expect(try errors(body) == ["missing reinitialization of inout parameter 'lane' after consume"])
  }
}
