import HTTPTypes
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Exchanges as short texts, recorded with a contract.
///
/// `GET /pets/7` is a request, `200 {"name": "Tom"}` its answer. A type may stand before the body: `200 text/plain: hello`;
/// `none/none` stands for no type.
struct RecordedSession {
  var contract: String
  var fixtures: [String: String] = [:]
  var settings = RecordingSettings()
  /// Of every answer.
  var headers = HTTPFields()

  struct Result {
    /// Paths below the folder of the contract, and contents; without the index.
    var files: [String: String]
    /// The files that are put aside.
    var doubtful: [String: String]
    var plan: RecordingPlan
    var report: RecordingReport

    /// Everything that was written, as the fixtures of a later session.
    var written: [String: String] {
      plan.files.reduce(into: [:]) { written, file in
        written[String(file.path.dropFirst("api/".count))] = String(decoding: file.bytes, as: UTF8.self)
      }
    }
  }

  typealias ShortExchange = (request: String, answer: String)

  /// - Parameter again: A second pass over the session, with other values.
  func record(_ exchanges: [ShortExchange], again: [ShortExchange] = []) throws -> Result {
    try withProject(ContractFixture(contract, fixtures: fixtures).files) { folder in
      let loaded = Contract.load(folder + "/api.yaml", fixtures: folder + "/fixtures")
      guard let contract = loaded.contract else { throw ContractUnusable(loaded.diagnostics) }
      let scope = TrafficScope([contract.api])
      let session = try held(exchanges)
      var comparison = SessionComparison([contract], scope: scope)
      if !again.isEmpty { comparison.compare(session, with: try held(again)) }
      var recorder = try Recorder(
        [contract], rules: RuleSettings(), scope: scope, settings: settings, volatile: comparison.places)
      for entry in session.exchanges { recorder.record(entry, isOwn: entry.isOwn) }
      let (plan, report) = recorder.finish()
      func files(_ all: [RecordingPlan.File]) -> [String: String] {
        var files: [String: String] = [:]
        for file in all where !file.path.hasSuffix(RecordingIndex.fileName) {
          files[String(file.path.dropFirst("api/".count))] = String(decoding: file.bytes, as: UTF8.self)
        }
        return files
      }
      return Result(files: files(plan.files), doubtful: files(plan.doubtful), plan: plan, report: report)
    }
  }

  /// Records exchanges, and plays them against a mock of the files before they are written. A request with an empty answer
  /// did not reach the server.
  ///
  /// - Parameters:
  ///   - fields: The further fields of requests, by their positions.
  ///   - responses: The further fields of responses, by their positions.
  ///   - player: Another one than a mock of the files.
  func played(
    _ exchanges: [ShortExchange], fields: [Int: HTTPFields] = [:], responses: [Int: HTTPFields] = [:],
    by player: PlanPlayer? = nil
  ) throws -> (plan: RecordingPlan, report: RecordingReport) {
    try withProject(ContractFixture(contract, fixtures: fixtures).files) { folder in
      let loaded = Contract.load(folder + "/api.yaml", fixtures: folder + "/fixtures")
      guard let contract = loaded.contract else { throw ContractUnusable(loaded.diagnostics) }
      var recorder = try Recorder(
        [contract], rules: RuleSettings(), scope: TrafficScope([contract.api]), settings: settings)
      for (index, exchange) in exchanges.enumerated() {
        guard !exchange.answer.isEmpty else {
          recorder.skip("no answer", try Self.entry(exchange.request, "200").request, of: nil)
          continue
        }
        var entry = try Self.entry(exchange.request, exchange.answer, index)
        for field in Array(headers) + Array(responses[index] ?? [:]) { entry.response?.fields.append(field) }
        for field in fields[index] ?? [:] { entry.request.headerFields.append(field) }
        recorder.record(entry, isOwn: true)
      }
      return recorder.finish(playing: player ?? mock)
    }
  }

  /// Plays the requests of a session against a mock of planned files.
  private var mock: PlanPlayer {
    { [contract, fixtures] plan, scenario, session in
      let files = plan.files.map { file in
        (String(file.path.dropFirst("api/".count)), String(decoding: file.bytes, as: UTF8.self))
      }
      let all = fixtures.merging(files) { $1 }
      return try? ContractFixture(contract, fixtures: all).withMock(configure: { $0.scenario = scenario }) { mock in
        var state = mock.newState()
        return .init(
          responses: session.requests.map { entry in
            let reply = mock.reply(
              to: entry.request, body: entry.requestBody.bytes, in: &state, at: .init(microsecondsSince1970: 0))
            return Exchange.Response(
              status: reply.status, fields: reply.response.headerFields, body: .bytes(reply.body))
          })
      }
    }
  }

  private func held(_ exchanges: [ShortExchange]) throws -> HeldSession {
    var session = HeldSession()
    for exchange in exchanges {
      var entry = try Self.entry(exchange.request, exchange.answer)
      for field in headers { entry.response?.fields.append(field) }
      session.add(entry, isOwn: true)
    }
    return session
  }

  /// An entry of a HAR for a request and its answer.
  static func entry(_ request: String, _ answer: String, _ index: Int = 0) throws -> Exchange {
    let head = request.split(separator: " ", maxSplits: 2).map(String.init)
    let body = head.count > 2 ? head[2] : ""
    let parts = answer.split(separator: " ", maxSplits: 1).map(String.init)
    var text = parts.count > 1 ? parts[1] : ""
    var type = "application/json"
    if let colon = text.firstRange(of: ": "),
      text[..<colon.lowerBound].wholeMatch(of: /[a-z]+\/[a-z+.-]+(; ?[a-z0-9=-]+)?/) != nil
    {
      type = String(text[..<colon.lowerBound])
      text = String(text[colon.upperBound...])
    }
    let requestFields: [JSON] = body.isEmpty ? [] : [["name": "Content-Type", "value": "application/json"]]
    // A server may leave out the type of a body.
    let isTyped = !text.isEmpty && type != "none/none"
    let fields: [JSON] = isTyped ? [["name": "Content-Type", "value": .string(type)]] : []
    let root: JSON = [
      "startedDateTime": "2026-11-21T09:41:00.000Z",
      "request": .object(
        ("method", .string(head[0])), ("url", .string("http://127.0.0.1:4010" + head[1])),
        ("headers", .array(requestFields)),
        ("postData", body.isEmpty ? nil as JSON? : ["mimeType": "application/json", "text": .string(body)])),
      "response": [
        "status": .integer(Int(parts[0]) ?? 0), "headers": .array(fields),
        "content": ["size": .integer(text.utf8.count), "mimeType": .string(type), "text": .string(text)],
      ],
    ]
    return try HAREntry.read(root, index: index, line: index + 1)
  }
}
