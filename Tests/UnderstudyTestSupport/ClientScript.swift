package import HTTPTypes
import Synchronization
package import UnderstudyMock

/// The client of an example that `understudy explain` shows: requests with their times and responses.
package struct ClientScript: Sendable {
  package let steps: [Step]
  /// The time of the request that is played, in microseconds since 1970.
  package let clock = Clock()

  package final class Clock: Sendable {
    fileprivate let time = Atomic(0)
    package var now: Int { time.load(ordering: .relaxed) }
  }

  /// A line that is not a request with its response, or a request that was not answered.
  package struct Problem: Error {}

  package init(_ text: String) throws {
    steps = try text.split(separator: "\n").map { try Step(String($0)) }
  }

  /// Sends the requests to a mock, which responds as the script has it.
  ///
  /// - Parameters:
  ///   - send: Sends a request whose response the chooser writes; by default to the mock itself.
  ///   - note: Gets the number of each request, from 0, and its reply; again at the end of a late reply.
  package func play(
    on mock: Mock, in lane: Lane, send: ((Step, @escaping ReplyOverride.Chooser) -> Reply?)? = nil,
    _ note: (Int, Step, Reply) throws -> Void
  ) throws {
    var replies: [Int: Reply] = [:]
    let events = steps.enumerated().flatMap {
      [($0.element.time, $0.offset, false), ($0.element.end, $0.offset, true)]
    }
    for (time, number, isEnd) in events.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      clock.time.store(time, ordering: .relaxed)
      let step = steps[number]
      if isEnd {
        guard var reply = replies.removeValue(forKey: number), reply.changesAtEnd else { continue }
        guard reply.end(within: .unlimited) else { throw Problem() }
        try note(number, step, reply)
      } else {
        let chooser: ReplyOverride.Chooser = { _, _ in
          ReplyOverride(.response(step.response, body: [], description: "script"), delay: step.delay)
        }
        let now = LaneTime { [clock] in clock.now }
        let reply =
          if let send {
            try Self.required(send(step, chooser))
          } else {
            mock.reply(to: step.request, body: step.body, in: lane, at: now, override: chooser)
          }
        try note(number, step, reply)
        replies[number] = reply
      }
    }
  }

  /// The time that `1.5s` stands for, in microseconds since 1970.
  static func time(_ text: String) throws -> Int { 1_000_000_000_000 + (try Step.microseconds(text)) }

  fileprivate static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Problem() }
    return value
  }

  /// `1.5s GET /pets, Authorization: a, {"name": "Tom"} -> 200, Retry-After: 2`; `-> 200 after 2s`, `-> left after 2s`
  package struct Step: Sendable {
    /// The time in microseconds since 1970.
    package let time: Int
    /// When the client has the answer, or leaves.
    package let end: Int
    package let delay: Duration
    package let request: HTTPRequest
    package let body: [UInt8]
    package let response: HTTPResponse

    init(_ line: String) throws {
      let sides = line.split(separator: " -> ")
      let parts = String(try ClientScript.required(sides.first)).split(separator: ", ").map(String.init)
      let words = parts[0].split(separator: " ").map(String.init)
      time = try ClientScript.time(words[0])
      var headers: [String: String] = [:]
      var text = ""
      for part in parts.dropFirst() {
        if part.hasPrefix("{") { text = part } else { (headers[try Self.name(part)]) = try Self.value(part) }
      }
      if !text.isEmpty { headers["Content-Type"] = "application/json" }
      body = Array(text.utf8)
      request = Mock.request(try ClientScript.required(HTTPRequest.Method(words[1])), words[2], headers, body: text)
      let last = String(try ClientScript.required(sides.last))
      let late = last.firstRange(of: " after ").map { (last[..<$0.lowerBound], String(last[$0.upperBound...])) }
      let wait = try late.map { try Self.microseconds($0.1) } ?? 0
      end = time + wait
      // A client that leaves does not wait for the answer.
      delay = late?.0 == "left" ? .seconds(3600) : .microseconds(wait)
      let answer = (late?.0 == "left" ? "200" : late.map { String($0.0) } ?? last).split(separator: ", ").map(
        String.init)
      var fields = HTTPFields()
      for part in answer.dropFirst() {
        fields[try ClientScript.required(HTTPField.Name(try Self.name(part)))] = try Self.value(part)
      }
      response = HTTPResponse(status: .init(code: try ClientScript.required(Int(answer[0]))), headerFields: fields)
    }

    fileprivate static func microseconds(_ text: String) throws -> Int {
      Int((try ClientScript.required(Double(text.dropLast())) * 1_000_000).rounded())
    }

    private static func name(_ part: String) throws -> String {
      String(try ClientScript.required(part.split(separator: ":").first))
    }

    private static func value(_ part: String) throws -> String {
      String(part[try ClientScript.required(part.firstRange(of: ": ")).upperBound...])
    }
  }
}
