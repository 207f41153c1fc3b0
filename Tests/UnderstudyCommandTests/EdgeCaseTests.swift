import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// The table of edge cases in `fixtures/slp/README.md`: its fixtures exist and its requests work.
@Suite(.waitsForProcesses)
struct EdgeCaseTests {
  struct Row: Sendable {
    var id: String
    /// The third column: fixtures, or open points.
    var fixtures: String
    /// The command of the fourth column, if there is one.
    var command: String?
  }

  private static func rows() throws -> [Row] {
    try Project.text("fixtures/slp/README.md").split(separator: "\n").compactMap { line in
      let columns = line.split(separator: " | ", omittingEmptySubsequences: false)
      guard line.hasPrefix("| E"), columns.count == 4 else { return nil }
      let code = columns[3].split(separator: "`", omittingEmptySubsequences: false)
      return Row(
        id: String(columns[0].dropFirst(2)), fixtures: String(columns[2]),
        command: code.count > 2 ? String(code[1]) : nil)
    }
  }

  @Test func `all 70 are listed`() throws {
    #expect(try Self.rows().map(\.id) == (1...70).map { "E\($0)" })
  }

  @Test func `every fixture that the table names is there`() throws {
    let contract = try #require(
      Contract.load(Project.path("specs/slp.yaml"), fixtures: Project.path("fixtures")).contract)
    let all = contract.api.operations
    let labels = Set(contract.fixtures.fixtures.values.joined().map(\.label))
    let twelve = all.filter { operation in
      operation.response(for: 200)?.content.allSatisfy { $0.range.hasPrefix("text/") } == true
    }.map(\.id)
    #expect(twelve.count == 12)
    var count = 0
    for row in try Self.rows() {
      // `readChat/200.empty`, then `200.noPayload` of the same operation. Words in front of a bare status name the
      // operations: "the twelve", or "every" one that has it.
      var operations = row.fixtures.hasPrefix("the twelve") ? twelve : []
      for token in row.fixtures.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where token.offset % 2 == 1 {
        guard let match = token.element.wholeMatch(of: /(?:(\w+)\/)?(\d{3})((?:\.\w+)?)/) else { continue }
        if let operation = match.1 { operations = [String(operation)] }
        let (status, name) = (String(match.2), String(match.3))
        let owners =
          operations.isEmpty
          ? all.filter { $0.responses.contains { $0.status.description == status } }.map(\.id)
          : operations
        #expect(!owners.isEmpty, "\(row.id): no operation has \(status)")
        for owner in owners {
          #expect(labels.contains("\(owner)/\(status)\(name)"), "\(row.id): \(owner)/\(status)\(name)")
          count += 1
        }
      }
    }
    #expect(count > 200)
  }

  @Test func `every edge case of a client has a scenario`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.path("Tests/Scenarios"))
      .filter { $0.hasPrefix("E") }
    var named: [String] = []
    for row in try Self.rows() {
      let scenarios = row.fixtures.matches(of: /`Tests\/Scenarios\/([^`]+)`/).map { String($0.1) }
      #expect(
        scenarios.isEmpty
          == ![
            "E2", "E3", "E5", "E9", "E10", "E14", "E15", "E16", "E17", "E18", "E19", "E20", "E21", "E22", "E23", "E24",
            "E28", "E29", "E31", "E35", "E36", "E37", "E38", "E39", "E42", "E43",
            "E44", "E45", "E46", "E47", "E48", "E49", "E50", "E51", "E52", "E56", "E57",
          ].contains(row.id), "\(row.id)")
      named += scenarios
    }
    #expect(named.sorted() == files.sorted())
  }

  @Test func `every curl command of the table gets its answer`() throws {
    let mock = try ServedMock(["specs/slp.yaml", "--no-watch"])
    defer { mock.stop() }
    for row in try Self.rows() {
      guard let command = row.command else { continue }
      let result = try Command.run(
        "/bin/sh", ["-c", "API=\(mock.url)/v1; \(command.replacing("curl ", with: "curl -s "))"])
      let head = result.output.split(separator: "\r\n\r\n").first.map(String.init) ?? ""
      guard let preference = command.firstMatch(of: /Prefer: code=(\d{3})(?:, example=(\w+))?/) else {
        #expect(head.hasPrefix("HTTP/1.1 "), "\(row.id): \(result)")
        continue
      }
      let name = preference.2.map { ".\($0)" } ?? ""
      if ["closed"].contains(preference.2) {
        // An empty reply from the server.
        #expect(result.code == 52, "\(row.id)")
        continue
      }
      #expect(head.hasPrefix("HTTP/1.1 \(preference.1) "), "\(row.id): \(head)")
      #expect(head.contains(/Understudy-Reply: fixture \w+\//), "\(row.id): \(head)")
      let cell = "/\(preference.1)\(name)"
      #expect(head.contains("\(cell)\r\n") || head.hasSuffix(cell), "\(row.id): \(head)")
    }
  }

  /// What the table promises of requests that ask for nothing by name.
  @Test(arguments: [
    ("E9", 200, "fixture readChat/200.unknownPartner"), ("E14", 501, "fixture joinQueue/501"),
    ("E16", 501, "fixture joinQueue/501"), ("E18", 200, "fixture readUser/200"),
    ("E19", 500, "problem 500 no such path"), ("E37", 200, "fixture searchQueue/200.swappedPlace"),
    ("E25", 200, "fixture readChat/200.ownNewerMessages"), ("E35", 501, "fixture updateMyPage/501"),
    ("E42", 500, "problem 500 method not allowed"), ("E49", 501, "fixture signUp/501"),
  ])
  func `a request that went wrong is answered as the server did`(id: String, status: Int, reply: String) throws {
    let mock = try ServedMock(["specs/slp.yaml", "--no-watch"])
    defer { mock.stop() }
    let command = try #require(try Self.rows().first { $0.id == id }?.command)
    let result = try Command.run(
      "/bin/sh", ["-c", "API=\(mock.url)/v1; \(command.replacing("curl ", with: "curl -s "))"])
    #expect(result.output.hasPrefix("HTTP/1.1 \(status) "), "\(result.output)")
    #expect(result.output.contains("Understudy-Reply: \(reply)\r\n"), "\(result.output)")
  }
}
