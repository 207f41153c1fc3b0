import TestSupport
import Testing

/// The stories of `Tests/Scenarios`, told by curl to a live port.
struct LiveScenarioTests {
  @Test(arguments: Scenario.all) func `a live mock answers curl as the scenario has it`(_ scenario: Scenario) throws {
    let mock = try ServedMock(scenario.arguments)
    defer { mock.stop() }
    for exchange in scenario.exchanges {
      let answer = try Curl.send(exchange, to: mock.url)
      #expect(answer.status == exchange.status)
      for (name, value) in exchange.expectedHeaders { #expect(answer.headers[name.lowercased()] == value) }
      if let body = exchange.expectedBody { #expect(answer.body == String(decoding: body, as: UTF8.self)) }
      for text in exchange.log { #expect(mock.waits(for: text), "the log holds: \(mock.printed)") }
    }
  }
}

/// curl, as a user types it.
enum Curl {
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  static func send(_ exchange: Scenario.Exchange, to url: String) throws -> Answer {
    var arguments = ["-sS", "-i", "--path-as-is", "-g", "-X", exchange.method, url + exchange.target]
    for (name, value) in exchange.headers { arguments += ["-H", "\(name): \(value)"] }
    if !exchange.body.isEmpty { arguments += ["--data-binary", exchange.body] }
    let result = try Command.run("/usr/bin/curl", arguments)
    let parts = result.output.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = (parts.first ?? "").split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let pair = line.split(separator: ":", maxSplits: 1)
      headers[pair[0].lowercased()] = pair.count > 1 ? String(pair[1].drop { $0 == " " }) : ""
    }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, headers: headers, body: parts.count > 1 ? String(parts[1]) : "")
  }
}
