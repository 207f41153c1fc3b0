import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// A server that was not written for this: Flask, with the ten bugs of `Tests/PlantedBugs/README.md`.
@Suite(.enabled(if: Flask.isPresent, "skipped: no Flask, and none to be had from PyPI"))
struct PlantedBugsTests {
  private static let bugs: [(bug: Int, reported: String)] = [
    (1, "GET /members/me 200 prov.auth.ignored"), (2, "GET /books 200 prov.invalid-accepted"),
    (3, "GET /books 200 resp.header.missing"), (4, "POST /books 500 resp.server-error"),
    (5, "POST /books 201 state.link.unresolvable"), (6, "DELETE /books/{bookId} 200 state.use-after-delete"),
    (7, "GET /shelves/{shelf} 200 resp.body.schema"), (8, "GET /fees 200 prov.header.required-ignored"),
    (9, "GET /news 200 resp.content-type.undocumented"), (10, "GET /status 200 prov.method.unsupported"),
  ]
  /// What the same bugs are reported as besides: the `shelf` that the link takes is missing in the answers themselves, and the
  /// method that the contract does not have is listed in `Allow`.
  private static let companions: Set<String> = [
    "POST /books 201 resp.body.schema", "GET /status 200 resp.allow.mismatch",
  ]

  private func report(isFixed: Bool) async throws -> Report {
    let server = try PlantedBugs.start(isFixed: isFixed)
    defer { server.stop() }
    let contract = try #require(Contract.load(PlantedBugs.contract, fixtures: "/nonexistent").contract)
    var settings = LiveSettings(target: try #require(Upstream("http://localhost:\(server.port)")))
    settings.allowsUnsafe = true
    settings.credentials = ["key": "open-sesame"]
    var report = Report(Report.Run("verify live", contracts: [], startedAt: ""))
    await LiveVerifier([contract], settings: settings, transport: socketTransport(port: server.port)).verify(
      into: &report)
    #expect(report.run.abortedBecause == nil)
    return report
  }

  @Test func `all ten bugs are found, nothing else, and twice the same`() async throws {
    let first = try await report(isFixed: false)
    let reported = Set(first.reported)
    for (bug, expected) in Self.bugs { #expect(reported.contains(expected), "bug \(bug): \(first.explained)") }
    #expect(reported.subtracting(Self.bugs.map(\.reported)).subtracting(Self.companions) == [], "\(first.explained)")
    let second = try await report(isFixed: false)
    #expect(second.reported == first.reported)
    #expect(second.findings.map(\.fingerprint) == first.findings.map(\.fingerprint))
    #expect(second.findings.map(\.count) == first.findings.map(\.count))
  }

  @Test func `nothing is found once they are mended`() async throws {
    let report = try await report(isFixed: true)
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.checked > 200)
  }
}
