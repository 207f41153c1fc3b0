/// An answer as data: the mock decides it, a server performs it.
public struct Reply: Sendable {
  private var storage: Storage

  private struct Parts: Sendable {
    var content: Content
    var delay: Duration
    var fault: Fault?
    var omitsBody: Bool
    var operation: MockOperation?
    var source: ReplySource
    var diagnostics: [Diagnostic]
    var notValidated: [ValidationResult.NotValidated]
    var lane: String?
    var isAboutMock: Bool = false
    var isSameOrigin: Bool = false
    var forward: Forward?
    var isChunked: Bool = false
    var completion: ExchangeCompletion?
    var entry: Int?
    var watched: Int?
    var limit: Limit?
    var rest: FixtureRest?
    var sockets: SocketEffects?
    var pauses: [Duration] = []
    var pushes: [String] = []
    var callbacks: [CallbackOrder] = []
    var stored: Int?
  }

  /// Copies of a reply, which has many parts, share it until one is changed. Unchecked, and safe: parts change only
  /// while one reply has them.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) var parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private var unique: Storage {
    mutating get {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.parts) }
      return storage
    }
  }

  package var content: Content {
    get { storage.parts.content }
    _modify { yield &unique.parts.content }
  }
  /// Wait this long before the first byte.
  package var delay: Duration {
    get { storage.parts.delay }
    _modify { yield &unique.parts.delay }
  }
  /// What the connection does to the answer on purpose.
  package var fault: Fault? {
    get { storage.parts.fault }
    _modify { yield &unique.parts.fault }
  }
  /// For HEAD: only the head of the answer is sent, with its Content-Length.
  package var omitsBody: Bool {
    get { storage.parts.omitsBody }
    _modify { yield &unique.parts.omitsBody }
  }
  /// The matched operation; ids of two contracts may be the same.
  package var operation: MockOperation? {
    get { storage.parts.operation }
    _modify { yield &unique.parts.operation }
  }
  /// What the answer was made of, and which rule chose it.
  public package(set) var source: ReplySource {
    get { storage.parts.source }
    _modify { yield &unique.parts.source }
  }
  package var isProblem: Bool { source.isProblem }
  /// The names of the push messages that the scenario sends with it.
  package var pushes: [String] {
    get { storage.parts.pushes }
    _modify { yield &unique.parts.pushes }
  }
  /// The requests that are sent after it.
  package var callbacks: [CallbackOrder] {
    get { storage.parts.callbacks }
    _modify { yield &unique.parts.callbacks }
  }
  /// Whether it is the response of a receiver, to a request that the mock has sent.
  package var isOfReceiver: Bool { if case .receiver = source.content { true } else { false } }
  /// The findings about the request and the answer.
  public package(set) var diagnostics: [Diagnostic] {
    get { storage.parts.diagnostics }
    _modify { yield &unique.parts.diagnostics }
  }
  /// The parts that could not be validated, with the reason.
  package var notValidated: [ValidationResult.NotValidated] {
    get { storage.parts.notValidated }
    _modify { yield &unique.parts.notValidated }
  }
  package var lane: String? {
    get { storage.parts.lane }
    _modify { yield &unique.parts.lane }
  }
  /// Whether it describes the mock itself, and is not part of the traffic between client and backend.
  package var isAboutMock: Bool {
    get { storage.parts.isAboutMock }
    _modify { yield &unique.parts.isAboutMock }
  }
  /// Whether only pages of the mock's own origin may read it.
  package var isSameOrigin: Bool {
    get { storage.parts.isSameOrigin }
    _modify { yield &unique.parts.isSameOrigin }
  }
  /// The request to the upstream, which answers; `content` is for a server that cannot forward.
  package var forward: Forward? {
    get { storage.parts.forward }
    _modify { yield &unique.parts.forward }
  }
  /// Whether the body is sent in chunks although its length is known, as the upstream sent it.
  package var isChunked: Bool {
    get { storage.parts.isChunked }
    _modify { yield &unique.parts.isChunked }
  }
  var completion: ExchangeCompletion? {
    get { storage.parts.completion }
    _modify { yield &unique.parts.completion }
  }
  /// The number under which a test keeps the request until its exchange ends.
  package var entry: Int? {
    get { storage.parts.entry }
    _modify { yield &unique.parts.entry }
  }
  /// Whether a client that closes its side of the connection before it has the answer counts as gone.
  package var isWatched: Bool { watched != nil }
  /// How long the client may wait; `nil` without a limit.
  package var limit: Limit? {
    get { storage.parts.limit }
    _modify { yield &unique.parts.limit }
  }
  /// The number of the exchange in its lane, if the lane is notified when the exchange ends.
  package var watched: Int? {
    get { storage.parts.watched }
    _modify { yield &unique.parts.watched }
  }
  /// The number of its exchange, which a shared store has already.
  package var stored: Int? {
    get { storage.parts.stored }
    _modify { yield &unique.parts.stored }
  }
  package var sockets: SocketEffects? {
    get { storage.parts.sockets }
    _modify { yield &unique.parts.sockets }
  }
  /// The time before each record of a stream that has arrived; empty where it is not known.
  package var pauses: [Duration] {
    get { storage.parts.pauses }
    _modify { yield &unique.parts.pauses }
  }
  /// What the state of the lane adds to a fixture, until it is committed.
  var rest: FixtureRest? {
    get { storage.parts.rest }
    _modify { yield &unique.parts.rest }
  }

  package init(
    _ content: Content, delay: Duration = .zero, fault: Fault? = nil, omitsBody: Bool = false,
    operation: MockOperation? = nil, source: ReplySource, diagnostics: [Diagnostic] = [],
    notValidated: [ValidationResult.NotValidated] = []
  ) {
    storage = Storage(
      Parts(
        content: content, delay: delay, fault: fault, omitsBody: omitsBody, operation: operation, source: source,
        diagnostics: diagnostics, notValidated: notValidated))
  }

  /// The time after which a request that still waits is ended.
  package struct Limit: Sendable {
    let number: Int
    package let duration: Duration
    package var isExceeded = false

    init(number: Int, duration: Duration) { (self.number, self.duration) = (number, duration) }
  }

  /// Cases with large values are indirect, since most replies are prepared and moved often.
  package enum Content: Sendable {
    /// An answer for many requests, which is rendered once.
    case prepared(PreparedResponse)
    /// An answer made for this request, without Date, Connection and Content-Length.
    indirect case made(HTTPResponse, body: [UInt8])
    /// An answer whose body arrives later, or is only announced.
    indirect case streamed(HTTPResponse, Body)
  }

  /// The head of the response.
  public var response: HTTPResponse {
    switch content {
    case .prepared(let prepared): prepared.response
    case .made(let response, _), .streamed(let response, _): response
    }
  }

  /// The status, unless a fault prevents it.
  public var status: Int {
    switch content {
    case .prepared(let prepared): prepared.status
    case .made(let response, _), .streamed(let response, _): response.status.code
    }
  }

  /// The body; empty where it is streamed.
  public var body: [UInt8] {
    if omitsBody { return [] }
    switch content {
    case .prepared(let prepared): return prepared.body
    case .made(_, let body): return body
    case .streamed: return []
    }
  }

  /// Returns this reply with the lane of the reply that it replaces.
  package func inLane(of earlier: Reply) -> Reply {
    guard lane != earlier.lane else { return self }
    var reply = self
    reply.lane = earlier.lane
    return reply
  }

  /// The reply where there is none, which does not happen.
  package static var unavailable: Reply {
    Problem.reply(status: 503, title: "No answer", code: "no-answer", detail: "the mock has none", diagnostics: [])
  }

  mutating func add(_ name: HTTPField.Name, _ value: String) {
    switch content {
    case .prepared(let prepared):
      var response = prepared.response
      response.headerFields[name] = value
      content = prepared.replacing(response)
    case .made(var response, let body):
      response.headerFields[name] = value
      content = .made(response, body: body)
    case .streamed(var response, let body):
      response.headerFields[name] = value
      content = .streamed(response, body)
    }
  }

  /// Says that the response may be out of date.
  package mutating func warn(_ text: String) {
    if let name = HTTPField.Name("Understudy-Replica") { add(name, text) }
  }

  /// Names the replicas that did not acknowledge a change in time.
  package mutating func nameLate(_ replicas: [String]) {
    guard !replicas.isEmpty, let name = HTTPField.Name("Understudy-Unacknowledged") else { return }
    add(name, replicas.joined(separator: ", "))
  }

  /// Lists the findings, if there are any, in the header field of Prism.
  mutating func listViolations() {
    guard !diagnostics.isEmpty, let name = HTTPField.Name("sl-violations") else { return }
    add(name, ViolationList.header(diagnostics))
  }
}

extension PreparedResponse {
  /// The same with another head.
  func replacing(_ response: HTTPResponse) -> Reply.Content {
    forcesBody
      ? .prepared(PreparedResponse(response: response, body: body, forcesBody: true))
      : .made(response, body: body)
  }
}

/// A function that answers requests: synchronous, total, never throws.
package final class Responder: Sendable {
  /// Answers a request with a body of `nil` where it is too long to buffer; `nil` where the budget did not suffice.
  package typealias Answer = @Sendable (HTTPRequest, [UInt8]?, WorkBudget) -> Reply?

  /// The responses of `.prepared` that are known beforehand, by their indices.
  package let prepared: [PreparedResponse]
  /// In bytes: longer bodies are not buffered; `nil` where requests with such bodies are refused.
  package let longLimit: Int?
  package let reply: Answer
  /// `nil` where nothing declares sockets.
  package let sockets: SocketService?
  /// Makes a responder with the same responses for one event loop; `nil` if this one serves all loops.
  package let replica: @Sendable () -> Responder?

  package init(
    prepared: [PreparedResponse] = [], longerThan longLimit: Int? = nil, sockets: SocketService? = nil,
    replica: @escaping @Sendable () -> Responder? = { nil }, answering reply: @escaping Answer
  ) {
    self.prepared = prepared
    self.sockets = sockets
    self.replica = replica
    self.longLimit = longLimit
    self.reply = reply
  }

  /// One that answers at once.
  package convenience init(
    prepared: [PreparedResponse] = [], reply: @escaping @Sendable (HTTPRequest, [UInt8]) -> Reply
  ) {
    self.init(prepared: prepared) { request, body, _ in reply(request, body ?? []) }
  }
}
