import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The checks as the clients in Swift, Python and JavaScript play them.
struct CheckBehaviourTests {
  /// A client that breaks each check, in the form of `behaviours.yaml`.
  private static func behaviour() throws -> String {
    var lines = [
      "- name: a check that is named fails a test", "  steps:",
      #"    - {"start": {"contracts": ["Tests/Clients/pets.yaml"]}, "mock": "pets"}"#,
    ]
    for breach in CheckBreach.all {
      let name = text(breach.id.dropFirst("check.".count))
      func step(_ action: String) { lines.append("    - {\(action), \"lane\": \(name)}") }
      let check = breach.argument.contains("{") ? try breach.json : name
      step(#""open": {"checks": [\#(check)], "stopClock": true}, "mock": "pets""#)
      var time = breach.steps[0].time
      func advance(to later: Int) {
        if later > time { step(#""advance": "\#((later - time) / 1000)ms""#) }
        time = later
      }
      for played in breach.steps {
        advance(to: played.time)
        switch played.action {
        case .packet(let packet, let session): step(#""socket": {"id": \#(session), "packet": \#(text(packet))}"#)
        case .request(let exchange):
          for action in request(exchange) { step(action) }
        }
      }
      advance(to: breach.end)
      step(#""finish": {}, "error": {"kind": "failed", "contains": [\#(text(breach.id))]}"#)
    }
    lines.append(#"    - {"stop": {}, "mock": "pets"}"#)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func request(_ exchange: ClientScript.Step) -> [String] {
    let (method, path) = (exchange.request.method.rawValue, exchange.request.path ?? "")
    let operation = "\(method)_pets" + (path.hasPrefix("/pets/") ? "_{id}" : "")
    let isLate = exchange.end > exchange.time
    let body = exchange.body.isEmpty ? "" : ", \"body\": " + text(String(decoding: exchange.body, as: UTF8.self))
    return [
      #""reply": {"operation": \#(text(operation)), "status": \#(exchange.response.status.code), "text": "", "times": 1"#
        + members(exchange.response.headerFields) + (isLate ? #", "delay": "1h"}"# : "}"),
      #""\#(isLate ? "begin" : "request")": {"method": \#(text(method)), "path": \#(text(path))"#
        + members(exchange.request.headerFields) + body + "}",
    ]
  }

  private static func text(_ text: some StringProtocol) -> String { JSONWriter.text(.string(String(text))) }

  private static func members(_ fields: HTTPFields) -> String {
    let shown = fields.filter { $0.name != .contentLength }.sorted { $0.name.rawName < $1.name.rawName }
    guard !shown.isEmpty else { return "" }
    return ", \"headers\": {" + shown.map { "\(text($0.name.rawName)): \(text($0.value))" }.joined(separator: ", ")
      + "}"
  }

  @Test func `every check has a client that breaks it`() {
    #expect(CheckBreach.all.map(\.id) == ClientChecks.all.map { $0.rule.id })
  }

  @Test func `the clients play every check`() throws {
    let behaviour = try Self.behaviour()
    #expect(try Project.text("Tests/Clients/behaviours.yaml").hasSuffix(behaviour), "\(behaviour)")
    #expect(try Project.text("Tests/Clients/pets.yaml") == CheckBreach.contract + "\n")
  }

  /// The outputs in which a check that is asked for by name is an error.
  private static let faces = [
    "log", "verdict", "JSON", "`explain`", "`run`", "`sweep`", "`.understudy`", "`.lane`", "pytest", "Node.js",
  ]

  @Test func `the documentation has a row for every check and a column for every output`() throws {
    let head = [
      "| check | \(Self.faces.joined(separator: " | ")) |",
      "|---" + String(repeating: "|---", count: Self.faces.count) + "|",
    ]
    let rows = ClientChecks.names.map { "| `\($0)` |" + String(repeating: " error |", count: Self.faces.count) }
    let table = (head + rows).joined(separator: "\n")
    #expect(try Project.text("docs/scenarios.md").contains("\n\(table)\n"), "\(table)")
  }
}
