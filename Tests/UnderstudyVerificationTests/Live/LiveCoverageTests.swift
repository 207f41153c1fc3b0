import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// A live run fills the coverage of its contracts.
struct LiveCoverageTests {
  private static func coverage(
    _ bug: Shelf.Bug, configure: (inout LiveSettings) -> Void = { _ in }
  ) async throws -> (coverage: Coverage, report: Report) {
    let report = try await live(
      [ContractFixture(Shelf.contract).contract()], on: Shelf(bug).server, configure: configure)
    return (try #require(report.coverage), report)
  }

  /// `listThings 200 served asserted`, for every answer.
  private static func lines(_ coverage: Coverage) -> [String] {
    coverage.answers.map { row in
      let marks = Coverage.Mark.allCases.filter { row.marks.contains($0) }.map(\.rawValue)
      return ([row.operation, row.status] + marks).joined(separator: " ")
    }
  }

  @Test func `what was answered is served, and what held on both sides asserted`() async throws {
    let (coverage, _) = try await Self.coverage(.none)
    #expect(
      Self.lines(coverage) == [
        "listThings 200 served asserted", "listThings 400 served asserted", "addThing 201 served asserted",
        "addThing 400 served asserted", "addThing 401 served asserted", "addThing 415 served asserted",
        "readThing 200 served asserted", "readThing 400 served asserted", "readThing 404 served asserted",
        "removeThing 204 served asserted", "removeThing 400 served asserted", "removeThing 404 served asserted",
      ])
    // A method that a path does not have is our own idea.
    #expect(coverage.undocumented.isEmpty)
  }

  @Test func `an answer that breaks the contract is served and not asserted`() async throws {
    let (coverage, _) = try await Self.coverage(.wrongType) { $0.selection.operations = ["listThings"] }
    #expect(
      Self.lines(coverage).prefix(3) == ["listThings 200 served", "listThings 400 served asserted", "addThing 201"])
    #expect(coverage.neverTried.allSatisfy { $0.operation != "listThings" })
  }

  @Test func `a bad request that is let in asserts nothing`() async throws {
    let (coverage, _) = try await Self.coverage(.ignoresKey) {
      $0.selection.operations = ["addThing"]
      $0.mode = .negative
    }
    let row = try #require(coverage.answers.first { $0.operation == "addThing" && $0.status == "201" })
    #expect(row.marks == [.served])
  }

  @Test func `a status that is not documented is listed, and found once`() async throws {
    let (coverage, report) = try await Self.coverage(.undocumentedStatus)
    let seen = coverage.undocumented.filter { $0.status == 206 }
    #expect(seen.count == 1)
    #expect(seen.first?.path == "/things")
    #expect(report.findings.count { $0.rule == "resp.status.undocumented" && $0.subject.status == "206" } == 1)
  }

  @Test func `requests that only make a finding smaller leave no marks`() async throws {
    let shelf = Shelf(.failsAtEdge)
    let report = try await live([ContractFixture(Shelf.contract).contract()], on: shelf.server) {
      $0.selection.operations = ["listThings"]
    }
    let row = try #require(report.coverage?.answers.first { $0.operation == "listThings" })
    #expect(row.tried > 0)
    #expect(row.tried < shelf.requests.count { $0.hasPrefix("GET /things") })
  }

  @Test func `the matrix has every operation, also those that were not tested`() async throws {
    let (coverage, _) = try await Self.coverage(.none) { $0.selection.operations = ["readThing"] }
    #expect(coverage.answers.count == 12)
    #expect(Set(coverage.answers.filter { $0.tried > 0 }.map(\.operation)) == ["readThing"])
  }

  @Test func `two contracts keep their marks apart`() async throws {
    let first = try ContractFixture(Shelf.contract).contract()
    let other = Shelf.contract.replacing("listThings", with: "listItems")
    let second = try ContractFixture(contracts: ["other.yaml": other])
      .contract()
    let report = try await live([first, second], on: Shelf().server) { $0.selection.operations = ["listThings"] }
    let rows = try #require(report.coverage).answers.filter { $0.operation.hasPrefix("list") && $0.status == "200" }
    #expect(rows.map(\.contract) == ["api", "other"])
    #expect(rows.map { $0.marks.contains(.served) } == [true, false])
  }
}
