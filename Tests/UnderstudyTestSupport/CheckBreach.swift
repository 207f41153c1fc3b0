import UnderstudyMock

/// A client that breaks a check.
package struct CheckBreach: Sendable, CustomStringConvertible {
  /// The id of the rule.
  package let id: String
  /// The check as `--check` and tests in Swift take it.
  package let argument: String
  private let script: String
  package let steps: [Step]
  /// The time after the last step, in microseconds.
  package let end: Int

  package struct Step: Sendable {
    /// The time in microseconds.
    package let time: Int
    package let action: Action
  }

  package enum Action: Sendable {
    case request(ClientScript.Step)
    /// A packet of Engine.IO in the session of this number, which the first one opens.
    case packet(String, session: Int)
  }

  package var description: String { "\(argument): \(script)" }

  /// Whether the client leaves, or gets its response, later than it asks.
  package var isLate: Bool {
    steps.contains { if case .request(let step) = $0.action { step.end > step.time } else { false } }
  }

  /// The check as the admin API takes it.
  package var json: String {
    get throws {
      let list = try TextDocument.read(SourceFile(path: "check", bytes: Array("[\(argument)]".utf8))).root
      return JSONWriter.text(list[0] ?? .null)
    }
  }

  /// - Parameter script: Requests as in `ClientScript`, packets as in `1s 2 < 40`, and perhaps the time of the end.
  package init(_ id: String, _ argument: String, _ script: String) throws {
    (self.id, self.argument, self.script) = (id, argument, script)
    var steps: [Step] = []
    var end = 0
    for line in script.split(separator: "\n").map(String.init) {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      if words.count == 4, words[2] == "<", let session = Int(words[1]) {
        steps.append(Step(time: try ClientScript.time(words[0]), action: .packet(words[3], session: session)))
      } else if words.count > 1 {
        let step = try ClientScript.Step(line)
        steps.append(Step(time: step.time, action: .request(step)))
        end = max(end, step.end)
      } else {
        end = max(end, try ClientScript.time(words[0]))
      }
    }
    (self.steps, self.end) = (steps, max(end, steps.last?.time ?? 0))
  }

  // MARK: - The clients

  /// The contract of the clients: the example of the rules, whose sockets get `news` as soon as they are connected.
  package static let contract =
    Rule.exampleContract + """

      x-understudy-events:
        events: {news: {from: server}, join: {from: client}, other: {from: client}}
        rules: [{on: connect, do: [{emit: news}]}]
      """

  /// A client for each check, in the order of the checks: its row, or its first example.
  package static let all: [CheckBreach] = ClientChecks.all.compactMap { check in
    clients.first { $0.id == check.rule.id } ?? explained.first { $0.id == check.rule.id }
  }

  /// The clients that `understudy explain` shows.
  package static let explained: [CheckBreach] = ClientChecks.all.flatMap { check in
    check.rule.exchanges.filter { !$0.places.isEmpty }.compactMap {
      try? CheckBreach(check.rule.id, String(check.rule.id.dropFirst("check.".count)), $0.request)
    }
  }

  /// The clients that break a check under the clock of a machine too, since they need an interval of one millisecond or none.
  package static let clients: [CheckBreach] = [
    (
      "offered-values", "{operations: [POST_pets], fields: [name], offer: GET_pets/*/name}",
      #"0s POST /pets, {"name": "Tom"} -> 201"#
    ),
    (
      "kept-fields", "{fields: [name]}",
      "0s POST /pets, {\"name\": \"Tom\"} -> 422\n9s POST /pets, {\"name\": \"Kim\"} -> 201"
    ),
    ("cancelled", "{interval: 1ms}", "0s GET /pets -> left after 5s\n1s GET /pets -> left after 5s"),
    ("join-after-connect", "{event: join}", "0s 1 < 40\n1s 1 < 42[\"other\"]"),
    ("reconnect-storm", "{limit: 0, interval: 1h}", "0s 1 < 40\n1s 1 < 1\n2s 2 < 40"),
    ("leave-on-close", "{operations: [GET_pets], interval: 1ms}", "0s 1 < 40\n1s GET /pets -> 200\n2s"),
    (
      "catch-up-after-reconnect", "{operations: [POST_pets], interval: 1ms}",
      "0s 1 < 40\n1s 1 < 1\n2s 2 < 40\n3s"
    ),
    ("listener-before-connect", "{event: news, answer: seen, interval: 1ms}", "0s 1 < 40\n1s"),
  ].compactMap { name, settings, script in try? CheckBreach("check.\(name)", "\(name): \(settings)", script) }
}
