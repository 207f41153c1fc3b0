import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// One exchange has the same findings on every path: mock, proxy, recording and live run.
struct SameFindingsTests {
  /// An exchange as it went over the wire.
  struct Wire: Sendable {
    var request: HTTPRequest
    var body: [UInt8]
    var response: HTTPResponse
    var answer: [UInt8]
  }

  private static func contract() throws -> Contract {
    try #require(Contract.load(Project.path("specs/petstore.yaml"), fixtures: Project.path("fixtures")).contract)
  }

  private static func mock(upstream: Upstream? = nil) throws -> Mock {
    var options = Mock.Options()
    options.onInvalid = .warn
    options.upstream = upstream
    return Mock(contracts: [try contract()], options: options)
  }

  /// What a live run sends to a server whose answers break the contract, a third of the operations in one way each.
  private static func run(seed: String) async throws -> (wires: [Wire], report: Report) {
    let mock = try mock()
    let contract = mock.contracts[0]
    let wires = Mutex<[Wire]>([])
    let report = try await live(
      [contract],
      on: { request, body in
        var (response, answer) = mock.server(request, body)
        if case .match(let match) = contract.compiled.router.route(request.method.rawValue, request.path ?? "/") {
          switch match.operation % 4 {
          case 0: answer = Array(#"{"odd": true}"#.utf8)
          case 1: response.headerFields[.contentType] = "text/plain"
          case 2: response.status = .init(code: 409)
          default: break
          }
        }
        wires.withLock { $0.append(Wire(request: request, body: body, response: response, answer: answer)) }
        return (response, answer)
      }, configure: { $0.seed = seed })
    return (wires.withLock { $0 }, report)
  }

  /// `rule pointer severity message` of each finding, in order.
  private static func texts(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { "\($0.rule.id) \($0.location?.pointer ?? "") \($0.severity) \($0.message)" }
  }

  private static func entry(_ wire: Wire) throws -> Exchange {
    let url = "https://pets.example.com\(wire.request.path ?? "/")"
    var entry = try Recordings.read(
      Recordings.entry(wire.request.method.rawValue, url, status: wire.response.status.code))
    entry.requestFields = wire.request.headerFields
    entry.requestBody = .bytes(wire.body)
    entry.response?.fields = wire.response.headerFields
    entry.response?.body = .bytes(wire.answer)
    return entry
  }

  @Test func `mock, proxy, recording and live run find the same in the same exchange`() async throws {
    let runs = [try await Self.run(seed: "0"), try await Self.run(seed: "1")]
    let wires = runs.flatMap(\.wires)
    // A run alone sends fewer, since it sends nothing that shows nothing new.
    #expect(wires.count > 200)
    let mock = try Self.mock()
    let proxy = try Self.mock(upstream: Upstream("http://upstream"))
    let set = ContractSet(mock.contracts.map(\.compiled))
    let traffic = TrafficValidator(set.contracts, rules: RuleSettings(), scope: TrafficScope(set.contracts.map(\.api)))
    var found: Set<String> = []
    var kinds: [String: Int] = [:]
    for wire in wires {
      let target = wire.request.path ?? "/"
      let mocked = Self.texts(mock.reply(to: wire.request, body: wire.body).diagnostics)
      let forward = try #require(proxy.reply(to: wire.request, body: wire.body).forward)
      let forwarded = await forward.reply(by: { _, _ in (wire.response, Body(wire.answer)) }, body: Body(wire.body))
      let proxied = Self.texts(forwarded.diagnostics)
      let outcome = traffic.validate(try Self.entry(wire))
      guard case .match(let match) = set.router.route(wire.request.method.rawValue, target) else {
        guard case .missed(let finding?, _, _, _) = outcome else { continue }
        #expect(Self.texts([finding]) == mocked, "\(wire.request.method) \(target)")
        #expect(proxied == mocked, "\(wire.request.method) \(target)")
        kinds["missed", default: 0] += 1
        continue
      }
      let operation = set.operations[match.operation]
      let view = RequestView(request: wire.request, target: target, captures: match.captures, body: wire.body)
      let asked = operation.requestValidator.validation(of: view)
      let answered = operation.exchangeValidator().validate(
        asked, ResponseView(wire.response, body: wire.answer, to: view))
      let expected = Self.texts(answered.findings)
      #expect(mocked == Self.texts(asked.findings), "\(wire.request.method) \(target)")
      #expect(proxied == expected, "\(wire.request.method) \(target)")
      guard case .validated(let recorded) = outcome else {
        Issue.record("\(wire.request.method) \(target) of the recording is not validated")
        continue
      }
      let both = recorded.request.findings + recorded.answer.findings
      #expect(Self.texts(both) == expected, "\(wire.request.method) \(target)")
      let status = operation.operation.response(for: wire.response.status.code)?.status.description
      for finding in recorded.answer.findings {
        found.insert(
          "\(operation.id) \(status ?? String(wire.response.status.code)) \(finding.rule.id)")
      }
      kinds[asked.findings.isEmpty ? "valid" : "invalid", default: 0] += 1
    }
    #expect(["valid", "invalid", "missed"].allSatisfy { kinds[$0, default: 0] > 5 }, "\(kinds)")
    let live = runs.flatMap(\.report.findings).filter { $0.rule.hasPrefix("resp.") }.flatMap { finding in
      ([finding.subject] + finding.others.map(\.subject)).map {
        "\($0.operation ?? "") \($0.status ?? "") \(finding.rule)"
      }
    }
    #expect(Set(live) == found)
    #expect(found.count > 5)
  }
}
