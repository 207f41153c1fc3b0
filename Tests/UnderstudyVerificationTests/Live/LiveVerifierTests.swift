import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct LiveVerifierTests {
  private func report(
    _ bug: Shelf.Bug, configure: (inout LiveSettings) -> Void = { _ in }
  ) async throws -> Report {
    try await live([ContractFixture(Shelf.contract).contract()], on: Shelf(bug).server, configure: configure)
  }

  @Test func `a server that keeps its contract has no findings`() async throws {
    let report = try await report(.none)
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
    #expect(report.checked > 100)
  }

  @Test(
    arguments: [
      (.wrongType, "GET /things 200 resp.body.schema"),
      (.undocumentedStatus, "GET /things 206 resp.status.undocumented"),
      (.failsAtEdge, "GET /things 500 resp.server-error"),
      (.acceptsAnyLimit, "GET /things 200 prov.invalid-accepted"),
      (.ignoresHeader, "GET /things 200 prov.header.required-ignored"),
      (.ignoresKey, "POST /things 201 prov.auth.ignored"), (.acceptsAnyType, "POST /things 201 prov.media.unsupported"),
      (.answersPatch, "GET /things 200 prov.method.unsupported"),
      (.keepsDeleted, "DELETE /things/{thingId} 200 state.use-after-delete"),
      (.losesCreated, "POST /things 201 state.create-unavailable"),
      (.refusesValid, "POST /things 400 prov.example"), (.asksForKey, "GET /things 401 prov.auth.open"),
    ] as [(Shelf.Bug, String)])
  func `one bug is found, under its name, with a command that shows it`(bug: Shelf.Bug, expected: String) async throws {
    let report = try await report(bug)
    #expect(report.reported.contains(expected), "\(report.explained)")
    let finding = try #require(report.findings.first { expected.hasSuffix($0.rule) })
    #expect(finding.reproduction?.hasPrefix("curl") == true)
    #expect(finding.owner == .provider)
    // What else is reported is reported of the same answers.
    let allowed: Set<String> = [finding.rule, "resp.status.undocumented", "resp.http.status-misuse"]
    #expect(Set(report.findings.map(\.rule)).isSubset(of: allowed), "\(report.explained)")
  }

  @Test func `an empty refusal is not quoted`() async throws {
    let report = try await report(.refusesValid)
    let refused = report.findings.filter { $0.rule == "prov.example" }
    #expect(!refused.isEmpty)
    #expect(refused.allSatisfy { $0.help == nil })
  }

  @Test func `the same seed sends the same requests, and another seed others`() async throws {
    func requests(_ seed: String) async throws -> [String] {
      let shelf = Shelf()
      _ = try await live([ContractFixture(Shelf.contract).contract()], on: shelf.server) { $0.seed = seed }
      return shelf.requests
    }
    let first = try await requests("7")
    #expect(first.count > 50)
    #expect(try await requests("7") == first)
    #expect(try await requests("8") != first)
  }

  @Test func `several workers give the same report in the same order`() async throws {
    func cases(_ workers: Int) async throws -> [String] {
      let report = try await report(.acceptsAnyLimit) {
        $0.workers = workers
        $0.mode = .negative
      }
      return report.cases.map { entry in
        let findings = entry.findings.map { "\($0.message) \($0.count) \($0.reproduction ?? "")" }
        return "\(entry.subject) \(entry.name) \(entry.checked) \(findings)"
      }
    }
    let (several, one) = (try await cases(4), try await cases(1))
    for (a, b) in zip(several, one) { #expect(a == b) }
    #expect(several.count == one.count)
  }

  @Test func `methods that change data are skipped without permission`() async throws {
    let shelf = Shelf()
    let report = try await live([ContractFixture(Shelf.contract).contract()], on: shelf.server) {
      $0.allowsUnsafe = false
    }
    #expect(Set(shelf.requests.map { $0.prefix(4) }) == ["GET ", "OPTI"])
    let skipped = report.cases.filter { if case .skipped = $0.outcome { true } else { false } }.map(\.subject.operation)
    #expect(skipped == ["addThing", "removeThing"])
    #expect(report.notValidated.contains { $0.reason.contains("--allow-unsafe") && $0.count == 2 })
  }

  @Test func `one cause has one finding with its count and its smallest request`() async throws {
    let report = try await report(.wrongType)
    let finding = try #require(report.findings.first { $0.rule == "resp.body.schema" })
    #expect(report.findings.count { $0.rule == "resp.body.schema" } == 1)
    #expect(finding.count > 5)
    #expect(finding.reproduction == "curl -i http://localhost:8080/things -H 'X-Trace: a'")
  }

  @Test func `every check of every status is a case, and what passed is there too`() async throws {
    let report = try await report(.none)
    let names = report.cases.filter { $0.subject.operation == "listThings" }.map {
      "\($0.subject.status ?? "-") \($0.name)"
    }
    #expect(Set(names).count == names.count)
    #expect(
      names.contains("200 resp.body") && names.contains("400 resp.status") && names.contains("- prov.invalid-accepted"))
  }

  @Test func `a rule that is off is not reported, in one operation or in all`() async throws {
    let off = try await report(.acceptsAnyLimit) {
      $0.rules.scopes = [RuleSettings.Scope(operationId: "listThings", levels: [.providerInvalidAccepted: .off])]
    }
    #expect(off.reported == [])
    let weak = try await report(.acceptsAnyLimit) { $0.rules.levels = [.providerInvalidAccepted: .info] }
    #expect(Set(weak.findings.map(\.severity)) == [.info])
  }

  @Test(arguments: [1, 2]) func `a run ends at its limit of findings, and reports the skipped requests`(
    limit: Int
  ) async throws {
    let shelf = Shelf(.ignoresLimitAndHeader)
    let report = try await live([ContractFixture(Shelf.contract).contract()], on: shelf.server) {
      $0.maximumFailures = limit
    }
    #expect(report.run.abortedBecause?.contains("--max-failures \(limit)") == true)
    let all = ["prov.header.required-ignored", "prov.invalid-accepted"]
    #expect(Set(report.findings.map(\.rule)) == Set(all.prefix(limit)))
    #expect(report.findings.count == limit)
    // The request of what was found is made smaller all the same.
    #expect(report.findings.allSatisfy { $0.reproduction?.hasPrefix("curl") == true })
    let unsent = report.notValidated.first { $0.reason == "requests that were not sent before the run ended" }
    #expect(try #require(unsent).count > 20)
    let skipped = report.cases.filter { if case .skipped = $0.outcome { true } else { false } }
    // Reading was tried before everything else, for the values that the server knows.
    #expect(skipped.map(\.subject.operation) == ["removeThing"])
    #expect(!shelf.requests.contains { $0.hasPrefix("DELETE ") })
  }

  @Test func `several workers finish what they have in hand when the limit is reached`() async throws {
    let report = try await report(.acceptsAnyLimit) {
      $0.maximumFailures = 1
      $0.workers = 4
    }
    #expect(report.run.abortedBecause?.contains("--max-failures 1") == true)
    #expect(report.findings.map(\.rule) == ["prov.invalid-accepted"])
  }

  @Test func `what a sequence of requests shows counts for the limit as well`() async throws {
    let report = try await report(.keepsDeleted) { $0.maximumFailures = 1 }
    #expect(report.run.abortedBecause?.contains("--max-failures 1") == true)
  }

  @Test func `401 for nearly everything is one finding`() async throws {
    let report = try await live(
      [ContractFixture(Shelf.contract).contract()],
      on: { _, _ in
        (HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Basic"]), [])
      })
    #expect(report.findings.map(\.rule) == ["prov.credentials.missing"], "\(report.explained)")
    // Operations that refuse the credentials are not reported as validated.
    #expect(report.notValidated.contains { $0.reason.contains("refused for their credentials") })
  }

  @Test func `a missing operation is reported once`() async throws {
    let report = try await live(
      [ContractFixture(Shelf.contract).contract()],
      on: { request, body in
        request.method == .get && (request.path?.hasPrefix("/things?") == true || request.path == "/things")
          ? (HTTPResponse(status: .notFound), []) : Shelf().server(request, body)
      })
    let rules = report.findings.filter { $0.subject.operation == "listThings" }.map(\.rule)
    #expect(rules == ["cov.status.unimplemented"], "\(report.explained)")
  }

  // MARK: - No answers

  private func failing(_ failure: UpstreamFailure, after limit: Int = 0) async throws -> Report {
    let target = try #require(Upstream("http://localhost:8080"))
    var settings = LiveSettings(target: target)
    settings.allowsUnsafe = true
    var report = Report(Report.Run("verify live", contracts: [], startedAt: ""))
    let shelf = Shelf()
    let count = Mutex(0)
    await LiveVerifier([try ContractFixture(Shelf.contract).contract()], settings: settings) { request, body in
      let position = count.withLock { count in
        count += 1
        return count
      }
      guard position <= limit else { throw failure }
      guard case .whole(let bytes) = try await body.collected(upTo: 1_000_000) else { throw BodyTooLong() }
      let (response, answer) = shelf.server(request, bytes)
      return (response, Body(answer))
    }.verify(into: &report)
    return report
  }

  @Test(arguments: [UpstreamFailure.Kind.refused, .unknownHost, .tls])
  func `an unreachable server ends the run at the first request`(kind: UpstreamFailure.Kind) async throws {
    let report = try await failing(UpstreamFailure(kind, "no way"))
    #expect(report.run.abortedBecause == "the server cannot be reached: no way")
    #expect(report.checked == 0)
  }

  @Test(arguments: [UpstreamFailure.Kind.timeout, .closed])
  func `a server that never answers ends the run after a few operations`(kind: UpstreamFailure.Kind) async throws {
    let report = try await failing(UpstreamFailure(kind, "nothing came"))
    #expect(report.run.abortedBecause?.contains("nothing came") == true)
    #expect(report.checked == 0)
    #expect(report.cases.contains { if case .failedToRun = $0.outcome { true } else { false } })
  }

  @Test func `what was found before the server died is kept`() async throws {
    let report = try await failing(UpstreamFailure(.refused, "connection refused"), after: 60)
    #expect(report.checked > 50)
    #expect(report.run.abortedBecause?.hasPrefix("the server responds to nothing since") == true)
    #expect(report.findings.contains { $0.rule == "prov.server-lost" && $0.reproduction != nil })
  }
}
