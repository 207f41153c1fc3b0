import Testing
import UnderstudyJSON
import UnderstudyMock
import UnderstudyRecording
import UnderstudySockets
import UnderstudyTestSupport
import UnderstudyVerification

/// Sockets of a HAR, as Chrome writes it.
struct RecordedSocketsTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Chat, version: "1"}
    paths: {}
    x-understudy-events: {transport: websocket, path: /ws, eventKey: type}
    """

  private func record(
    _ sockets: [[String]], by player: PlanPlayer? = nil
  ) throws -> (scenario: String, report: RecordingReport) {
    try withProject(["chat.yaml": Self.contract]) { folder in
      let contract = try #require(Contract.load("\(folder)/chat.yaml", fixtures: "\(folder)/fixtures").0)
      var recorder = try Recorder(
        [contract], rules: RuleSettings(), scope: TrafficScope([contract.api]), settings: RecordingSettings())
      for (index, messages) in sockets.enumerated() {
        let entry = """
          {"startedDateTime": "2026-01-01T00:00:0\(index).000Z", "time": 1,
           "request": {"method": "GET", "url": "ws://localhost/ws", "headers": []},
           "response": {"status": 101, "headers": [], "content": {}},
           "_webSocketMessages": [\(messages.joined(separator: ", "))]}
          """
        recorder.record(try HAREntry.read(try JSONParser.parse(Array(entry.utf8)).root, index: index, line: 1))
      }
      let (plan, report) = player.map { recorder.finish(playing: $0) } ?? recorder.finish()
      let file = plan.files.first { $0.path.hasSuffix("_scenarios/recorded.yaml") }
      return (String(decoding: file?.bytes ?? [], as: UTF8.self), report)
    }
  }

  private func message(_ type: String, _ seconds: String, _ data: String, opcode: Int = 1) -> String {
    #"{"type": "\#(type)", "time": \#(seconds), "opcode": \#(opcode), "data": "\#(data)"}"#
  }

  @Test func `a silent socket keeps its place, and pauses have the times of the recording`() throws {
    let (scenario, report) = try record([
      [],
      [
        message("receive", "1767225601.250", #"{\"type\":\"hello\"}"#),
        message("send", "1767225602", #"{\"type\":\"ping\"}"#),
        message("receive", "1767225602.0405", #"{ \"type\": \"pong\" }"#),
      ],
    ])
    #expect(
      scenario == #"""
        summary: The answers of a recording, in its order.
        sockets:
          - on: connect
            remember: {recorded: "1"}
            times: 1
            do: []
          - on: connect
            remember: {recorded: "2"}
            times: 1
            do:
              - {wait: 250ms}
              - {emit: hello, argument: {type: hello}}
          - on: {event: ping}
            if: {socket.recorded: "2"}
            times: 1
            flush: true
            do:
              - {wait: 41ms}
              - {emit: pong, argument: "{ \"type\": \"pong\" }"}

        """#)
    #expect(report.sockets.count == 2 && report.sockets.messages == 3)
    #expect(report.lostMessages.isEmpty)
  }

  @Test(arguments: [
    (["hello", "bye"], []), (["hello"], ["socket 1: expected `emit bye`, found nothing"]),
    (["hello", "bye", "bye"], ["socket 1: found `emit bye`, expected nothing"]),
    (
      ["bye", "hello"],
      ["socket 1: expected `emit bye`, found `emit hello`", "socket 1: expected `emit hello`, found `emit bye`"]
    ),
    (["hello", "bye 2"], ["socket 1: expected `emit bye`, found other values"]),
  ]) func `a replay is compared with the session event by event`(
    _ events: [String], _ differences: [String]
  ) throws {
    let messages = ["hello", "bye"].map { message("receive", "1767225601", #"{\"type\":\"\#($0)\"}"#) }
    let (_, report) = try record([messages]) { _, scenario, session in
      guard scenario == "recorded", session.sockets.count == 1 else { return nil }
      let outputs = events.map { event -> SocketOutput.Action in
        let words = event.split(separator: " ").map(String.init)
        let value = JSONValue.object(
          [.init("type", .string(words[0]))] + words.dropFirst().map { .init("n", .string($0)) })
        return .emit(words[0], .array([value]), attachments: [])
      }
      return .init(
        responses: [],
        outputs: [([.accept] + outputs).compactMap { PlayedSocket.Output(SocketOutput(0, "/", $0)) }])
    }
    #expect(report.unequal.map(\.what).sorted() == differences)
  }

  @Test func `what cannot be replayed is counted by its reason`() throws {
    let (scenario, report) = try record([
      [
        message("receive", "1767225600", "AAEC", opcode: 2), message("receive", "1767225600", "{{now}}"),
        message("receive", "1767232801", "late"), message("receive", "1e300", "text"),
        message("receive", "-1", "early"),
      ]
    ])
    #expect(
      Set(report.lostMessages.map { "\($0.count) \($0.what)" }) == [
        "1 a binary message", "1 a message with `{{`, which a scenario takes for a template",
        "1 a pause longer than an hour, which is replayed as an hour",
      ])
    #expect(scenario.contains("{wait: 3600000ms}\n      - {emit: message, argument: late}"), "\(scenario)")
  }

  @Test func `secrets of messages are not written, even where a later message shows them to be some`() throws {
    let (scenario, _) = try record([
      [
        message("receive", "1767225600", #"{\"type\":\"hello hunter2-of-mine\"}"#),
        message("receive", "1767225600", #"{\"type\":\"in\",\"password\":\"hunter2-of-mine\"}"#),
      ]
    ])
    #expect(scenario.contains("password") && !scenario.contains("hunter2"), "\(scenario)")
  }

  @Test func `frames without times are replayed once, and nothing but base64 is bytes`() throws {
    let (scenario, report) = try record([
      [#"{"type": "receive", "data": "a"}"#, #"{"type": "receive", "opcode": 2, "data": "?"}"#]
    ])
    #expect(scenario.ranges(of: "times: 1").count == 1, "\(scenario)")
    #expect(report.lostMessages.map(\.what) == ["a message that cannot be decoded"])
  }

  @Test(arguments: [
    #""url": "http://localhost/socket.io/?EIO=4&transport=polling", "headers": []"#,
    #""url": "ws://localhost/socket.io/?EIO=4&transport=websocket", "headers": [{"name": "Upgrade", "value": "websocket"}]"#,
  ]) func `a comparison with fixtures leaves out a declared socket`(_ request: String) throws {
    let contract = Self.contract.replacing("websocket, path: /ws, eventKey: type", with: "socketio")
    let entry = """
      {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "request": {"method": "GET", \(request)},
       "response": {"status": 200, "headers": [], "content": {"mimeType": "text/plain", "text": "2"}}}
      """
    try withProject(["chat.yaml": contract]) { folder in
      let contract = try #require(Contract.load("\(folder)/chat.yaml", fixtures: "\(folder)/fixtures").0)
      var settings = RecordingSettings()
      settings.mode = .diff
      var recorder = try Recorder(
        [contract], rules: RuleSettings(), scope: TrafficScope([contract.api]), settings: settings)
      recorder.record(try HAREntry.read(try JSONParser.parse(Array(entry.utf8)).root, index: 0, line: 1))
      let report = recorder.finish().report
      #expect(
        report.skipped.map(\.reason) == [
          "a socket of the contract, whose messages have no fixtures to be compared with"
        ])
      #expect(report.undocumented.isEmpty && report.ignored.isEmpty, "\(report.undocumented)")
    }
  }

  @Test func `the polling transport has the limit of messages as well`() throws {
    let contract = Self.contract.replacing("websocket, path: /ws, eventKey: type", with: "socketio")
    let packets = Array(repeating: #"42[\"a\"]"#, count: 50_001).joined(separator: #"\u001e"#)
    let entry = """
      {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
       "request": {"method": "GET", "url": "http://localhost/socket.io/?EIO=4&transport=polling&sid=a", "headers": []},
       "response": {"status": 200, "headers": [], "content": {"mimeType": "text/plain", "text": "\(packets)"}}}
      """
    try withProject(["chat.yaml": contract]) { folder in
      let contract = try #require(Contract.load("\(folder)/chat.yaml", fixtures: "\(folder)/fixtures").0)
      var recorder = try Recorder(
        [contract], rules: RuleSettings(), scope: TrafficScope([contract.api]), settings: RecordingSettings())
      recorder.record(try HAREntry.read(try JSONParser.parse(Array(entry.utf8)).root, index: 0, line: 1))
      let report = recorder.finish().report
      #expect(report.skipped.map(\.reason) == ["the sockets have more than 50000 messages"], "\(report.skipped)")
      #expect(report.sockets.messages == 0)
    }
  }
}
