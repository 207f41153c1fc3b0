import HTTPTypes
import UnderstudyMock

/// A request to the admin API, and what it is about.
struct AdminRequest {
  let host: MockHost
  /// The mock of the contracts.
  let served: Mock
  /// The mock with the routes that were added for the lane of the request.
  let mock: Mock
  /// The path below which the API answers.
  let root: String
  /// The parts of the path behind the root.
  let path: [String]
  /// The lane that has the port of the request to itself.
  let portLane: LaneName?
  /// The lane that the request names, or its port.
  let lane: LaneName?
  let request: HTTPRequest
  let query: Query
  /// `nil` if it is too long.
  let sentBody: [UInt8]?
  /// Whether the process of the mock asks, and no connection carries the request.
  let isFromProcess: Bool
  var body: [UInt8] { sentBody ?? [] }

  /// Of a body, in bytes.
  static let bodyLimit = 1 << 20

  init(
    _ host: MockHost, _ root: String, _ mock: Mock, _ request: HTTPRequest, _ body: [UInt8]?, portLane: LaneName?,
    lane: LaneName?, isFromProcess: Bool = false
  ) {
    self.isFromProcess = isFromProcess
    self.portLane = portLane
    self.lane = lane
    self.host = host
    self.root = root
    served = mock
    self.request = request
    sentBody = body.flatMap { $0.count <= Self.bodyLimit ? $0 : nil }
    let target = request.path ?? ""
    let end = target.firstIndex(of: "?") ?? target.endIndex
    path = target[..<end].dropFirst(root.count).split(separator: "/").map(String.init)
    query = Query(of: target)
    let named = path.count > 1 && path[0] == "lanes" && path[1] != "~" ? try? LaneName(path[1]) : lane
    let isNamed = named.map { $0 != .unnamed } ?? false
    // An event loop serves the requests about the server, and waits for no store.
    let waits = !AdminAPI.isAboutServer(target.dropFirst(root.count))
    let found = named.flatMap { name in waits || host.lanes.knows(name) ? (try? host.lanes.find(name)) ?? nil : nil }
    self.mock = mock.withAddedRoutes(of: isNamed ? found : host.lanes.unnamed, waiting: waits)
  }

  // MARK: - Answers

  /// Removes the secrets of what the mock has captured or was sent.
  var redactor: Redactor { host.secrets.redactor() }

  /// Shows exchanges as `secrets` asks for.
  func printer(showingSecrets showsSecrets: Bool) -> JournalPrinter {
    JournalPrinter(redactor(showingSecrets: showsSecrets), version: ServerVersion.current)
  }

  func redactor(showingSecrets showsSecrets: Bool) -> Redactor {
    showsSecrets ? Redactor(settings: .showingAll) : redactor
  }

  func answer(_ value: JSON, _ status: HTTPResponse.Status = .ok, location: String? = nil) -> Reply {
    answer(Array((JSONWriter.text(value, .pretty) + "\n").utf8), "application/json", status, location: location)
  }

  /// A response with a part of the journal.
  func answer(_ value: Redacted<JSON>, _ status: HTTPResponse.Status = .ok) -> Reply { answer(value.value, status) }

  func answer(
    _ body: [UInt8], _ type: String, _ status: HTTPResponse.Status = .ok, location: String? = nil
  ) -> Reply {
    var reply = Reply(.made(head(type, status, location), body: body), source: ReplySource(.about(.admin)))
    (reply.isAboutMock, reply.isSameOrigin) = (true, true)
    return reply
  }

  /// An answer whose content follows in pieces, each after an event.
  func answer(_ body: Body, _ type: String) -> Reply {
    var reply = answer([], type)
    let head = head(type, .ok, nil)
    reply.forward = Forward(request: request, waitsForEvents: true) {
      var reply = Reply(.streamed(head, body), source: ReplySource(.about(.admin)))
      (reply.isAboutMock, reply.isSameOrigin) = (true, true)
      return reply
    }
    return reply
  }

  /// An answer that takes its time, off the event loop.
  ///
  /// - Parameter waitsForEvents: Whether it waits for an event; the wait is cancelled when the client leaves.
  func answer(waitsForEvents: Bool = false, later body: @escaping @Sendable () async -> Reply) -> Reply {
    var reply = answer([], "application/json")
    reply.forward = Forward(request: request, waitsForEvents: waitsForEvents) {
      let task = Task.detached { await body() }
      guard waitsForEvents else { return await task.value }
      return await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    return reply
  }

  private func head(_ type: String, _ status: HTTPResponse.Status, _ location: String?) -> HTTPResponse {
    var fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
    fields[.location] = location
    fields[CrossOrigin.resourcePolicy] = "same-origin"
    if let name = HTTPField.Name("X-Content-Type-Options") { fields[name] = "nosniff" }
    return HTTPResponse(status: status, headerFields: fields)
  }

  // MARK: - Parameters

  /// A whole number of the query; `nil` if it is absent.
  func number(_ name: String, in range: ClosedRange<Int>) throws(LaneProblem) -> Int? {
    guard let text = text(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw LaneProblem(
        .invalid, "`\(VisibleText.shortened(text, to: 40))` is not a number for `\(name)`",
        help: "expected \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// Whether exchanges are shown with their secrets: `secrets=shown`, which only tests in the process of the mock may ask for.
  var showsSecrets: Bool {
    get throws(LaneProblem) {
      guard let text = text("secrets") else { return false }
      guard text == "shown" else {
        throw LaneProblem(.invalid, "`secrets` is `shown`, or absent", help: "secrets are hidden without it")
      }
      guard isFromProcess else {
        throw LaneProblem(
          .forbidden, "the admin API shows no secrets over a connection",
          help: "a test over a mock in its own process sees them, as by `lane.calls()` of UnderstudyTesting")
      }
      return true
    }
  }

  /// The first value of the query; `nil` if it is absent.
  func text(_ name: String) -> String? { query.first(named: name) }

  /// Refuses parameters that a resource does not have.
  func requireParameters(_ names: [String]) throws(LaneProblem) {
    // The console sends its key where it cannot send a field.
    for name in query.names where name != "key" && !names.contains(name) {
      throw LaneProblem(
        .invalid, "unknown parameter `\(VisibleText.shortened(name, to: 40))`",
        help: names.isEmpty ? "this resource takes none" : "known: \(names.joined(separator: ", "))")
    }
  }
}
