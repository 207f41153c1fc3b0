import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

/// A check that a test names fails the test, for every client that breaks it.
struct CheckFacesTests {
  private struct Breach: Sendable, CustomTestStringConvertible {
    let check: String
    let script: String
    var testDescription: String { "\(check): \(script)" }
  }

  /// The clients that `understudy explain` shows. Late responses are left out: the clock of the machine times them.
  private static let breaches =
    ClientChecks.all.flatMap { check in
      check.rule.exchanges.filter { !$0.places.isEmpty && !$0.request.contains(" after ") }.map {
        Breach(check: check.rule.id, script: $0.request)
      }
    } + [Breach(check: "req.param.undeclared", script: "0s GET /pets?= -> 200")]

  @Test(arguments: breaches) private func `a test fails for the check that it names`(_ breach: Breach) async throws {
    let script = try ClientScript(breach.script)
    let contract = try Contract(Rule.exampleContract, name: "pets")
    let found = try await failures(of: .understudy(contract)) {
      let api = try #require(Understudy.current)
      api.stopClock()
      api.expect(checks: breach.check)
      var time = script.steps[0].time
      for step in script.steps {
        api.advance(by: .microseconds(step.time - time))
        time = step.time
        let path = try #require(step.request.path)
        let operation = "\(step.request.method.rawValue)_pets" + (path.hasPrefix("/pets/") ? "_{id}" : "")
        api.reply(to: operation, .response(step.response.status.code, headers: step.response.headerFields), times: 1)
        let fields = step.request.headerFields.filter { $0.name != .contentLength }
        try send(
          step.request.method.rawValue, path, fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined(),
          body: step.body.isEmpty ? nil : String(decoding: step.body, as: UTF8.self))
      }
    }
    #expect(found.contains { $0.contains("[\(breach.check)]") }, "\(found)")
  }
}
