import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// A request without a response is a finding, and so is the end of a server.
struct LiveSilenceTests {
  private typealias Base = LiveBaseTests

  private static func operations(_ names: [String], method: String = "get") throws -> Contract {
    try Base.contract(
      names.map { "/\($0):\n  \(method): {operationId: \($0), responses: {\"200\": {description: OK}}}" }
        .joined(separator: "\n"))
  }

  /// The report about a server that may fail, and the lines of the requests.
  private static func report(
    _ contract: Contract, _ server: @escaping @Sendable (_ line: String) throws -> Int
  ) async throws -> (report: Report, sent: [String]) {
    let sent = Mutex<[String]>([])
    var settings = LiveSettings(target: try #require(Upstream("http://localhost:8080")))
    settings.allowsUnsafe = true
    var report = Report(Report.Run("verify live", contracts: [], startedAt: ""))
    await LiveVerifier([contract], settings: settings) { request, _ in
      let line = "\(request.method.rawValue) \(Base.parts(request).path)"
      sent.withLock { $0.append(line) }
      return (HTTPResponse(status: .init(code: try server(line))), Body())
    }.verify(into: &report)
    return (report, sent.withLock { $0 })
  }

  private static let closed = UpstreamFailure(.closed, "it closed the connection without an answer")

  @Test func `an operation whose connections are closed is a finding, and the others count`() async throws {
    let (report, _) = try await Self.report(Self.operations(["a", "b", "c"])) { line in
      if line == "GET /b" { throw Self.closed }
      return line.hasPrefix("GET") ? (line == "GET /c" ? 202 : 200) : 501
    }
    #expect(
      report.reported == ["GET /b prov.no-response", "GET /c 202 resp.status.undocumented"], "\(report.explained)")
    #expect(report.findings.first?.reproduction == "curl -i http://localhost:8080/b")
    #expect(report.findings.first?.message.contains("closed the connection") == true)
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `connections that two operations close are two findings`() async throws {
    let (report, _) = try await Self.report(Self.operations(["a", "b", "c"])) { line in
      if line == "GET /a" || line == "GET /b" { throw Self.closed }
      return line.hasPrefix("GET") ? 200 : 501
    }
    #expect(report.reported == ["GET /a prov.no-response", "GET /b prov.no-response"], "\(report.explained)")
  }

  @Test func `a connection that is closed once is not a finding`() async throws {
    let isFirst = Mutex(true)
    let (report, _) = try await Self.report(Self.operations(["a", "b"])) { line in
      let fails = isFirst.withLock { isFirst in
        guard line == "GET /b", isFirst else { return false }
        isFirst = false
        return true
      }
      if fails { throw Self.closed }
      return line.hasPrefix("GET") ? 200 : 501
    }
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `the request after which nothing is answered is reported, not those that suffer`() async throws {
    let contract = try Base.contract(
      """
      /jobs: {get: {operationId: jobs, responses: {"200": {description: OK}}}}
      /plans: {post: {operationId: plan, responses: {"201": {description: Made}}}}
      /x: {get: {operationId: x, responses: {"200": {description: OK}}}}
      """)
    let isOver = Mutex(false)
    let (report, _) = try await Self.report(contract) { line in
      if isOver.withLock({ $0 }) { throw UpstreamFailure(.timeout, "it was silent for longer than --timeout") }
      if line == "POST /plans" { isOver.withLock { $0 = true } }
      return line.hasPrefix("GET") ? 200 : line.hasPrefix("POST") ? 201 : 501
    }
    let lost = try #require(report.findings.first { $0.rule == "prov.server-lost" }, "\(report.explained)")
    #expect(lost.subject.operation == "plan")
    let lines = (lost.reproduction ?? "").split(separator: "\n")
    #expect(lines.first?.contains("-X POST http://localhost:8080/plans") == true, "\(report.explained)")
    #expect(lines.last?.hasPrefix("curl -i http://localhost:8080/") == true)
    #expect(report.run.abortedBecause?.hasPrefix("the server responds to nothing since POST /plans") == true)
    #expect(!report.findings.contains { $0.rule == "prov.no-response" }, "\(report.explained)")
  }

  @Test func `a request that finds nobody is not the one that ended the server`() async throws {
    let contract = try Base.contract(
      """
      /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
      /b: {get: {operationId: b, responses: {"200": {description: OK}}}}
      """)
    let count = Mutex(0)
    let (report, _) = try await Self.report(contract) { line in
      let number = count.withLock { count in
        if count > 0 || line == "GET /b" { count += 1 }
        return count
      }
      if number > 1 { throw UpstreamFailure(.refused, "connection refused") }
      return line.hasPrefix("GET") ? 200 : 501
    }
    let lost = try #require(report.findings.first { $0.rule == "prov.server-lost" }, "\(report.explained)")
    #expect(lost.subject.operation == "b")
    #expect(lost.message.contains("b got 200"), "\(lost.message)")
  }

  @Test func `an operation that hangs costs two time limits, those of the preparation included`() async throws {
    let (report, sent) = try await Self.report(Self.operations(["a", "b", "c"])) { line in
      if line == "GET /b" { throw UpstreamFailure(.timeout, "it was silent for longer than --timeout") }
      return line.hasPrefix("GET") ? 200 : 501
    }
    #expect(sent.count { $0 == "GET /b" } == 2, "\(sent)")
    #expect(report.reported == ["GET /b prov.no-response"], "\(report.explained)")
    #expect(sent.contains("GET /c"))
  }

  @Test func `a stream of events that sends nothing is not a finding`() async throws {
    let contract = try Base.contract(
      """
      /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
      /events:
        get: {operationId: events, responses: {"200": {description: OK, content: {text/event-stream: {}}}}}
      """)
    let (report, _) = try await Self.report(contract) { line in
      if line == "GET /events" { throw UpstreamFailure(.timeout, "it was silent") }
      return line.hasPrefix("GET") ? 200 : 501
    }
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("a stream that sends nothing") })
  }

  @Test func `the line of a verdict has at most 200 characters`() {
    let verdict = Report.Verdict.incomplete(String(repeating: "a long reason ", count: 1_000))
    #expect("verdict: \(verdict.text)".unicodeScalars.count <= 200)
  }
}
