import HTTPTypes
import Synchronization
import TestSupport
import Testing
import Understudy

/// How a run ends, and what it says about answers that do not end.
struct LiveEndingTests {
  private typealias Base = LiveBaseTests

  private static func operations(_ names: [String]) throws -> Contract {
    try Base.contract(
      names.map { "/\($0):\n  get: {operationId: \($0), responses: {\"200\": {description: OK, content: {}}}}" }
        .joined(separator: "\n"))
  }

  /// The report about a server whose answers are bodies of any kind.
  private static func report(
    _ contract: Contract, configure: (inout LiveSettings) -> Void = { _ in },
    _ transport: @escaping Transport
  ) async throws -> Report {
    var settings = LiveSettings(target: try #require(Upstream("http://localhost:8080")))
    configure(&settings)
    var report = Report(Report.Run("verify live", contracts: [], startedAt: ""))
    await LiveVerifier([contract], settings: settings, transport: transport).verify(into: &report)
    return report
  }

  private struct Broken: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let failure: UpstreamFailure
    mutating func next() async throws -> [UInt8]? { throw failure }
    func makeAsyncIterator() -> Broken { self }
  }

  private static func ok(_ body: Body) -> (HTTPResponse, Body) { (HTTPResponse(status: .ok), body) }

  @Test func `answers that never end do not end the run, and their heads are judged`() async throws {
    let contract = try Self.operations(["a", "b", "c", "d", "e"])
    let report = try await Self.report(contract) { request, _ in
      request.path == "/e"
        ? (HTTPResponse(status: .accepted), Body())
        : Self.ok(Body(length: nil, Broken(failure: UpstreamFailure(.timeout, "no end"))))
    }
    #expect(report.run.abortedBecause == nil)
    #expect(report.reported == ["GET /e 202 resp.status.undocumented"], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("did not end within the time limit") })
  }

  @Test func `slow operations do not end a run whose server still answers`() async throws {
    let contract = try Self.operations(["a", "b", "c", "d", "e"])
    let report = try await Self.report(contract) { request, _ in
      guard ["/a", "/e"].contains(request.path ?? "") else { throw UpstreamFailure(.timeout, "slow") }
      return (HTTPResponse(status: request.path == "/a" ? .ok : .accepted), Body())
    }
    #expect(report.reported == ["GET /e 202 resp.status.undocumented"], "\(report.explained)")
  }

  @Test func `the head of a long answer is judged, its body is not`() async throws {
    let report = try await Self.report(Self.operations(["a", "b"])) { request, _ in
      request.path == "/b" ? Self.ok(Body()) : (HTTPResponse(status: .accepted), Body(announcing: 100 << 20))
    }
    #expect(report.reported == ["GET /a 202 resp.status.undocumented"], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.hasPrefix("a body of more than") })
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `an answer that ends early is a finding about the provider`() async throws {
    let report = try await Self.report(Self.operations(["a"])) { _, _ in
      Self.ok(Body(length: 99, Broken(failure: UpstreamFailure(.closed, "the answer ended after 1 of 99 bytes"))))
    }
    #expect(Set(report.findings.map(\.rule)) == ["prov.answer.malformed"], "\(report.explained)")
    #expect(report.findings.first?.owner == .provider)
  }

  @Test func `an answer that is not HTTP is a finding about the provider`() async throws {
    let report = try await Self.report(Self.operations(["a", "b"])) { request, _ in
      guard request.path == "/a" else { return Self.ok(Body()) }
      throw UpstreamFailure(.malformed, "two different Content-Lengths")
    }
    #expect(report.reported == ["GET /a prov.answer.malformed"], "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `a wrong base path is the first finding, with the path that answers`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      servers: [{url: /api/v7}]
      paths:
        /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
        /b: {get: {operationId: b, responses: {"200": {description: OK}}}}

      """
    ).contract()
    let sent = Mutex(0)
    let report = try await live([contract]) { request, _ in
      sent.withLock { $0 += 1 }
      return Base.answer(request.path?.hasPrefix("/v2/") == true ? 200 : 404)
    }
    #expect(report.findings.map(\.rule) == ["prov.base-path"], "\(report.explained)")
    #expect(report.findings.first?.help?.contains("http://localhost:8080/v2") == true)
    #expect(sent.withLock { $0 } < 20)
  }

  @Test func `credentials that stop working end the run, and are reported once`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
        /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
        /b: {get: {operationId: b, responses: {"200": {description: OK}}}}
        /c: {get: {operationId: c, responses: {"200": {description: OK}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
    let sent = Mutex(0)
    let report = try await live([contract]) { request, _ in
      let count = sent.withLock { count in
        count += 1
        return count
      }
      let key = request.headerFields.first(named: "X-Key")
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      return Base.answer(key == "good" && count < 12 ? 200 : 401)
    } configure: {
      $0.credentials = ["key": "good"]
    }
    #expect(report.run.abortedBecause?.contains("the credentials stopped working") == true)
    #expect(report.reported == [], "\(report.explained)")
  }

  // MARK: - Selection

  private static func asked(_ configure: @escaping (inout LiveSettings) -> Void) async throws -> Set<String> {
    let contract = try Base.contract(
      """
      /pets: {get: {operationId: pets, tags: [animals], responses: {"200": {description: OK}}}}
      /pets/{id}:
        get:
          operationId: pet
          tags: [animals]
          parameters: [{in: path, name: id, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}}
      /shops: {get: {operationId: shops, tags: [places], responses: {"200": {description: OK}}}}
      """)
    let asked = Mutex<Set<String>>([])
    _ = try await live([contract]) { request, _ in
      let path = Base.parts(request).path
      asked.withLock { _ = $0.insert(path.hasPrefix("/pets/") ? "/pets/{id}" : path) }
      return Base.answer(200)
    } configure: {
      configure(&$0)
    }
    return asked.withLock { $0 }
  }

  @Test func `operations are chosen by tag and path, and left out by name`() async throws {
    #expect(try await Self.asked { $0.selection.tags = ["places"] } == ["/shops"])
    #expect(try await Self.asked { $0.selection.paths = ["/pets"] } == ["/pets"])
    #expect(try await Self.asked { $0.selection.paths = ["/pets*"] } == ["/pets", "/pets/{id}"])
    #expect(try await Self.asked { $0.selection.excluded = ["pet"] } == ["/pets", "/shops"])
  }

  @Test func `phases that are not named are not sent`() async throws {
    func requests(_ phases: Set<LiveSettings.Phase>) async throws -> Int {
      let shelf = Shelf()
      _ = try await live([ContractFixture(Shelf.contract).contract()], on: shelf.server) { $0.phases = phases }
      return shelf.requests.count
    }
    #expect(try await requests([.examples]) == 1)
    let all = try await requests(Set(LiveSettings.Phase.allCases))
    for phase in LiveSettings.Phase.allCases { #expect(try await requests([phase]) < all, "\(phase)") }
  }
}
