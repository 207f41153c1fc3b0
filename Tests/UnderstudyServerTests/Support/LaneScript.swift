import Foundation
import UnderstudyTestSupport

/// What one of 200 clients sends in a lane of its own, 50 times, and what it must get: two answers of a sequence, or a
/// value that a machine has captured. Each script is another one.
struct LaneScript: Sendable {
  let number: Int

  static let all = (0..<200).map(LaneScript.init(number:))
  static let rounds = 50

  static let contract = """
    openapi: 3.1.0
    info: {title: Jobs, version: "1"}
    paths:
      /job:
        get:
          operationId: readJob
          responses:
            "200": {description: Done, content: {text/plain: {schema: {type: string}}}}
            "202": {description: Later, content: {text/plain: {schema: {type: string}}}}
            "404": {description: No, content: {text/plain: {schema: {type: string}}}}
        post:
          operationId: startJob
          requestBody:
            content: {application/json: {schema: {type: object, properties: {who: {type: string}}}}}
          responses: {"204": {description: Started}}
    """

  /// `200.v0`, each with its name as the body.
  private static let answers = ["200", "202", "404"].flatMap { status in (0..<15).map { "\(status).v\($0)" } }

  /// The fixtures and scenarios of all scripts.
  static var fixtures: [String: String] {
    var files = ["readJob/200.captured.yaml": "template: true\ntext: 'job {{var.who}}'\n"]
    for answer in answers { files["readJob/\(answer).txt"] = answer }
    for script in all { files["_scenarios/\(script.name).yaml"] = script.scenario }
    return files
  }

  var name: String { "s\(number)" }
  private var isMachine: Bool { number % 5 == 0 }
  /// The digits of the number.
  private var steps: [String] { [number % 15, 15 + number / 15 * 2].map { Self.answers[$0] } }

  private var scenario: String {
    guard isMachine else { return "sequence: {readJob: [\(steps.joined(separator: ", ")), loop]}\n" }
    return """
      machine:
        states:
          idle: {on: {startJob: {answer: 204, to: busy, set: {who: "{{request.body.who}} of \(name)"}}}}
          busy: {on: {readJob: {answer: 200.captured, to: idle}}}

      """
  }

  /// The requests of a round, which are sent at once.
  private func requests(_ round: Int) -> String {
    let (path, field) =
      number.isMultiple(of: 2) ? ("/~\(name)/job", "") : ("/job", "Understudy-Lane: \(name)\r\n")
    let head = "\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)"
    guard isMachine else { return "GET \(head)\r\nGET \(head)\r\n" }
    let body = "{\"who\": \"\(name)-\(round)\"}"
    let length = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return "POST \(head)\(length)\r\n\(body)GET \(head)\r\n"
  }

  /// Their statuses and bodies.
  private func expected(_ round: Int) -> [String] {
    isMachine ? ["204 ", "200 job \(name)-\(round) of \(name)"] : steps.map { "\($0.prefix(3)) \($0)" }
  }

  // MARK: - Runs

  /// Runs all scripts at a time, by four threads; returns what was not as scripted.
  static func mistakes(on port: Int) -> [String] {
    let found = Awaited<[String]>([])
    let threads = (0..<4).map { thread in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        defer { done.signal() }
        do {
          let mistakes = try Self.run(Self.all.filter { $0.number % 4 == thread }, on: port)
          found.change { $0 += mistakes }
        } catch {
          found.change { $0.append("\(error)") }
        }
      }
      return done
    }
    for thread in threads { thread.wait() }
    return found.value
  }

  private static func run(_ scripts: [LaneScript], on port: Int) throws -> [String] {
    let clients = try scripts.map { (script: $0, client: try RawClient(port: port)) }
    for (script, client) in clients {
      let body = "{\"name\": \"\(script.name)\", \"scenario\": \"\(script.name)\"}"
      let answer = try ask(client, "POST /__admin/lanes", "Content-Type: application/json\r\n", body)
      guard answer.status == 201 else { return ["\(script.name) does not open: \(answer)"] }
    }
    var mistakes: [String] = []
    for round in 0..<rounds {
      for (script, client) in clients { try client.send(script.requests(round)) }
      for (script, client) in clients {
        for expected in script.expected(round) {
          let answer = try client.response()
          let isOwn = answer["understudy-reply"]?.hasPrefix("scenario \(script.name) ") == true
          if "\(answer.status) \(answer.body)" != expected || !isOwn {
            mistakes.append("\(script.name), round \(round): \(answer), expected \(expected)")
          }
        }
      }
    }
    for (script, client) in clients {
      let verdict = try ask(client, "DELETE /__admin/lanes/\(script.name)").body
      let isWhole = verdict.contains("\"requests\": \(2 * rounds)") && verdict.contains("\"verdict\": \"passed\"")
      if !isWhole { mistakes.append("\(script.name): \(verdict)") }
    }
    return mistakes
  }

  private static func ask(
    _ client: RawClient, _ line: String, _ fields: String = "", _ body: String = ""
  ) throws -> RawClient.Response {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    try client.send("\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\(length)\r\n\(body)")
    return try client.response()
  }
}
