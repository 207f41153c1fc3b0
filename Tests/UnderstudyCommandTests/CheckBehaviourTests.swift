import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The checks as the clients in Swift, Python and JavaScript play them.
struct CheckBehaviourTests {
  /// The first client that `understudy explain` shows breaking each check, in the form of `behaviours.yaml`. Late responses
  /// are left out: the clock of the machine times them.
  private static func behaviour() throws -> String {
    var lines = [
      "- name: a check that is named fails a test", "  steps:",
      #"    - {"start": {"contracts": ["Tests/Clients/pets.yaml"]}, "mock": "pets"}"#,
    ]
    for rule in ClientChecks.all.map({ $0.rule }) {
      let scripts = rule.exchanges.filter { !$0.places.isEmpty && !$0.request.contains(" after ") }
      guard let script = try scripts.first.map({ try ClientScript($0.request) }) else { continue }
      let name = text(rule.id.dropFirst("check.".count))
      func step(_ action: String) { lines.append("    - {\(action), \"lane\": \(name)}") }
      step(#""open": {"checks": [\#(name)], "stopClock": true}, "mock": "pets""#)
      var time = script.steps[0].time
      for exchange in script.steps {
        if exchange.time > time { step(#""advance": "\#((exchange.time - time) / 1000)ms""#) }
        time = exchange.time
        let (method, path) = (exchange.request.method.rawValue, exchange.request.path ?? "")
        let operation = "\(method)_pets" + (path.hasPrefix("/pets/") ? "_{id}" : "")
        step(
          #""reply": {"operation": \#(text(operation)), "status": \#(exchange.response.status.code), "text": "", "times": 1"#
            + members(exchange.response.headerFields) + "}")
        let body = exchange.body.isEmpty ? "" : ", \"body\": " + text(String(decoding: exchange.body, as: UTF8.self))
        step(
          #""request": {"method": \#(text(method)), "path": \#(text(path))"# + members(exchange.request.headerFields)
            + body
            + "}")
      }
      step(#""finish": {}, "error": {"kind": "failed", "contains": [\#(text(rule.id))]}"#)
    }
    lines.append(#"    - {"stop": {}, "mock": "pets"}"#)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ text: some StringProtocol) -> String { JSONWriter.text(.string(String(text))) }

  private static func members(_ fields: HTTPFields) -> String {
    let shown = fields.filter { $0.name != .contentLength }.sorted { $0.name.rawName < $1.name.rawName }
    guard !shown.isEmpty else { return "" }
    return ", \"headers\": {" + shown.map { "\(text($0.name.rawName)): \(text($0.value))" }.joined(separator: ", ")
      + "}"
  }

  @Test func `the clients play every check that explain shows`() throws {
    #expect(try Project.text("Tests/Clients/behaviours.yaml").hasSuffix(Self.behaviour()))
    #expect(try Project.text("Tests/Clients/pets.yaml") == Rule.exampleContract + "\n")
  }
}
