import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// How a run ends, and what it reports about answers that do not end.
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

  @Test func `answers that never end do not end the run, and their heads are validated`() async throws {
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
      let path = Base.parts(request).path
      guard ["/a", "/e"].contains(path) else { throw UpstreamFailure(.timeout, "slow") }
      return (HTTPResponse(status: path == "/a" ? .ok : .accepted), Body())
    }
    let slow = ["b", "c", "d"].map { "GET /\($0) prov.no-response" }
    #expect(report.reported == slow + ["GET /e 202 resp.status.undocumented"], "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `an operation whose answers take too long together leaves the rest of its requests unsent`() async throws {
    let report = try await Self.report(Self.operations(["a", "b"]), configure: { $0.operationTime = .zero }) {
      request, _ in
      (HTTPResponse(status: request.path == "/b" ? .accepted : .ok), Body())
    }
    #expect(report.reported == ["GET /b 202 resp.status.undocumented"], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("took a twentieth of --max-time") })
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `the head of a long answer is validated, its body is not`() async throws {
    let report = try await Self.report(Self.operations(["a", "b"])) { request, _ in
      request.path?.hasPrefix("/b") == true
        ? Self.ok(Body()) : (HTTPResponse(status: .accepted), Body(announcing: 100 << 20))
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

  @Test func `an answer that breaks off within its head is a finding, as is a connection without an answer`()
    async throws
  {
    func report(isWithinAnswer: Bool) async throws -> Report {
      try await Self.report(Self.operations(["a", "b"])) { request, _ in
        guard request.path == "/a" else { return Self.ok(Body()) }
        throw UpstreamFailure(.closed, "it closed the connection", isWithinAnswer: isWithinAnswer)
      }
    }
    let cut = try await report(isWithinAnswer: true)
    #expect(cut.reported == ["GET /a prov.answer.malformed"], "\(cut.explained)")
    #expect(cut.run.abortedBecause == nil)
    let closed = try await report(isWithinAnswer: false)
    #expect(closed.reported == ["GET /a prov.no-response"], "\(closed.explained)")
    #expect(closed.run.abortedBecause == nil)
  }

  private static let pets = """
    /pets:
      get:
        operationId: pets
        responses: {"200": {description: OK, content: {application/json: {schema: {type: array, items: {}}}}}}
      post:
        operationId: add
        responses: {"201": {description: Made, content: {application/json: {schema: {type: object}}}}}
    /pets/{petId}:
      parameters: [{in: path, name: petId, required: true, schema: {type: string}}]
      get: {operationId: read, responses: {"200": {description: OK}, "404": {description: None}}}
      delete: {operationId: remove, responses: {"204": {description: OK}, "404": {description: None}}}
    """

  /// A server of pets that behaves like `hook` where that has an answer.
  private static func petServer(
    _ hook: @escaping @Sendable (_ line: String, _ deleted: Set<String>) throws -> (HTTPResponse, [UInt8])?
  ) -> Transport {
    let pets = Mutex<(last: Int, alive: Set<String>, deleted: Set<String>)>((0, [], []))
    return { request, _ in
      let path = Base.parts(request).path
      let deleted = pets.withLock { $0.deleted }
      if let (response, bytes) = try hook("\(request.method.rawValue) \(path)", deleted) {
        return (response, Body(bytes))
      }
      let (response, bytes) = pets.withLock { pets -> (HTTPResponse, [UInt8]) in
        guard path != "/pets" else {
          guard request.method != .get else { return Base.answer(200, "[]") }
          guard request.method == .post else { return Base.answer(405, "", [.allow: "GET, POST"]) }
          pets.last += 1
          pets.alive.insert("p\(pets.last)")
          return Base.answer(201, #"{"id": "p\#(pets.last)"}"#)
        }
        let id = String(path.split(separator: "/").last ?? "")
        guard pets.alive.contains(id) else { return Base.answer(404) }
        switch request.method {
        case .get: return Base.answer(200)
        case .delete:
          pets.alive.remove(id)
          pets.deleted.insert(id)
          return Base.answer(204)
        default: return Base.answer(405, "", [.allow: "GET, DELETE"])
        }
      }
      return (response, Body(bytes))
    }
  }

  @Test func `an answer in a sequence that is not HTTP is a finding, with the requests before it`() async throws {
    // Only a sequence reads what it deleted.
    let server = Self.petServer { line, deleted in
      guard deleted.contains(where: { line == "GET /pets/\($0)" }) else { return nil }
      throw UpstreamFailure(.malformed, "its answer is not HTTP")
    }
    let report = try await Self.report(Base.contract(Self.pets), configure: { $0.allowsUnsafe = true }, server)
    #expect(report.reported == ["GET /pets/{petId} prov.answer.malformed"], "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
    #expect(!report.cases.contains { if case .failedToRun = $0.outcome { true } else { false } })
    let lines = (report.findings.first?.reproduction ?? "").split(separator: "\n")
    #expect(lines.count == 3, "\(report.explained)")
    #expect(lines.first?.contains("-X POST http://localhost:8080/pets") == true)
    #expect(lines.last?.contains("http://localhost:8080/pets/p") == true)
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

  /// The report about a server whose other base paths give an answer, and the number of requests.
  private static func misplaced(
    _ paths: String, answering: @escaping @Sendable (_ path: String) -> (HTTPResponse, [UInt8])
  ) async throws -> (report: Report, sent: Int) {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      servers: [{url: /api/v7}]
      paths:
      \(paths.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))

      """
    ).contract()
    let sent = Mutex(0)
    let report = try await live([contract]) { request, _ in
      sent.withLock { $0 += 1 }
      let path = Base.parts(request).path
      return path.hasPrefix("/api/v7/") ? Base.answer(404) : answering(path)
    }
    return (report, sent.withLock { $0 })
  }

  @Test func `one request that gets 404 is enough where another base path answers`() async throws {
    let (report, sent) = try await Self.misplaced(
      #"/pets: {get: {operationId: pets, responses: {"200": {description: OK}, "404": {description: None}}}}"#
    ) { Base.answer($0.hasPrefix("/v2/") ? 200 : 404) }
    #expect(report.findings.map(\.rule) == ["prov.base-path"], "\(report.explained)")
    #expect(report.findings.first?.message == "the only request got 404 below http://localhost:8080/api/v7")
    #expect(report.findings.first?.help?.contains("is http://localhost:8080/v2 the base URL?") == true)
    #expect(sent < 20)
  }

  @Test func `a wrong base path is the first finding also where no other path answers`() async throws {
    let (report, sent) = try await Self.misplaced(
      #"/a: {get: {operationId: a, responses: {"200": {description: OK}}}}"#
    ) { _ in Base.answer(404) }
    #expect(report.findings.map(\.rule) == ["prov.base-path"], "\(report.explained)")
    #expect(report.findings.first?.help == nil)
    #expect(report.cases.first?.findings.isEmpty == false)
    #expect(sent < 20)
  }

  @Test func `a wrong base path is found by requests that change data`() async throws {
    let (report, _) = try await Self.misplaced(
      #"""
      /queue: {post: {operationId: join, responses: {"201": {description: Made}}}}
      /chats/{id}:
        put:
          operationId: write
          parameters: [{in: path, name: id, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}}
      """#
    ) { _ in Base.answer(404) }
    #expect(report.findings.map(\.rule) == ["prov.base-path"], "\(report.explained)")
    #expect(report.cases.first?.findings.isEmpty == false)
  }

  @Test func `a page of the site is not taken for an operation below another base path`() async throws {
    let page = (HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"]), Array("<p>Hello".utf8))
    let (report, _) = try await Self.misplaced(
      #"""
      /me:
        get:
          operationId: me
          responses:
            "200": {description: OK, content: {application/json: {schema: {type: object}}}}
            "404": {description: None}
      """#
    ) { _ in page }
    #expect(!report.reported.contains { $0.hasSuffix("prov.base-path") }, "\(report.explained)")
  }

  @Test func `credentials that stop working in a sequence end the run as well`() async throws {
    let state = Mutex(false)
    // Deletions come last, so that what is added after one begins a sequence.
    let server = Self.petServer { line, deleted in
      let isOver = state.withLock { isOver in
        if line == "POST /pets", !deleted.isEmpty { isOver = true }
        return isOver
      }
      return isOver ? Base.answer(401) : nil
    }
    let report = try await Self.report(
      Base.contract(Self.pets),
      configure: {
        $0.allowsUnsafe = true
        $0.headers = [("X-Key", "good")]
      }, server)
    #expect(report.run.abortedBecause?.contains("the credentials stopped working") == true)
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.hasPrefix("a sequence of requests that was not finished") })
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
