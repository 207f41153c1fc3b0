import UnderstudySockets

struct UnroutedRequest {
  let mock: Mock
  let request: HTTPRequest
  /// `nil` where it is too long to buffer.
  let body: [UInt8]?
  let routing: Routing

  /// The methods of the path that `OPTIONS` asks about; `nil` for a path that does not exist.
  private var allowed: [String]? {
    if case .wrongMethod(let allowed, _, _) = routing { return allowed }
    return request.path == "*" ? [] : nil
  }

  /// A preflight (Fetch, 3.2.2) that the mock answers.
  private var isPreflight: Bool {
    mock.options.allowsCrossOrigin && request.headerFields[.accessControlRequestMethod] != nil
  }

  /// The reply to a preflight of an operation that the contract documents: a browser reads its fields only, and stops
  /// at any that a sample makes up (Fetch, 4.8). Without `Origin` and `Access-Control-Request-Method`, a request is
  /// none.
  static func preflight(_ request: HTTPRequest, _ mock: Mock) -> Reply? {
    guard mock.options.allowsCrossOrigin,
      request.headerFields[.accessControlRequestMethod] != nil, request.headerFields[.origin] != nil,
      // A method that no operation has: the answer lists those of the path.
      case let routing = mock.contractSet.router.route("", request.path ?? "/"),
      case .wrongMethod(let allowed, _, _) = routing
    else { return nil }
    return UnroutedRequest(mock: mock, request: request, body: [], routing: routing)
      .options(allowed)
  }

  /// The reply: of the upstream where there is one, except for preflights and requests that the policy refuses.
  func reply(_ upstream: Upstream?) -> Reply {
    if request.method == .options, upstream == nil || isPreflight, let allowed { return options(allowed) }
    if upstream == nil, case .notFound = routing, MockOverview.isAsked(by: request, of: mock) {
      return MockOverview(mock: mock, request: request).reply()
    }
    if let upstream, mock.options.fallback == .upstream {
      // What no contract has is not the client's mistake: the upstream has it.
      return ProxyHandler(
        mock: mock, upstream: upstream, request: request, body: body, foreign: nil, result: ValidationResult()
      ).reply()
    }
    if let upstream, mock.sockets?.description(at: URIReference(request.path ?? "/").path) != nil {
      // Sockets are below no base path, and neither is the upstream's.
      return ProxyHandler(
        mock: mock, upstream: upstream.root, request: request, body: body, foreign: nil, result: ValidationResult()
      ).reply()
    }
    let finding = mock.contractSet.miss(request, along: routing).map(suggestingSocket)
    let weighed = finding.flatMap(mock.unroutedRules.weighed)
    let isRefused = request.method != .options && mock.options.onInvalid != .warn && weighed?.violation != nil
    guard let upstream, !isRefused else { return refusal(finding, weighed) }
    var result = ValidationResult()
    if let weighed { result.findings.append(weighed) }
    return ProxyHandler(
      mock: mock, upstream: upstream, request: request, body: body, foreign: mock.contractSet.neighbour(along: routing),
      result: result
    ).reply()
  }

  /// The finding with the paths of the declared sockets, for a client that opens a socket at another path.
  private func suggestingSocket(in finding: Diagnostic) -> Diagnostic {
    guard case .notFound = routing, let sockets = mock.sockets else { return finding }
    let target = request.path ?? "/"
    let isEngine = Query(of: target).first(named: "EIO") != nil
    let isHandshake = isEngine || WebSocketHandshake.isAskedFor(upgrade: request.headerFields[.upgrade])
    let segments = target.prefix { $0 != "?" }.lowercased().split(separator: "/")
    guard isHandshake || segments.contains(where: { Self.socketWords.contains(String($0)) }) else { return finding }
    let paths = sockets.descriptions.filter { socket in
      socket.kind.isTwoWay && (!isHandshake || (socket.kind != .websocket) == isEngine)
    }.map { "`\($0.path)`" }
    guard !paths.isEmpty else { return finding }
    var finding = finding
    finding.help = "did you mean \(paths.joined(separator: " or ")), where a socket is declared?"
    return finding
  }

  /// The segments of paths that other servers have their sockets at.
  private static let socketWords: Set = ["ws", "wss", "websocket", "socket", "sockets", "socket.io", "engine.io"]

  /// Whether `/` is the overview of the mock.
  private var hasOverview: Bool {
    guard mock.options.upstream == nil, case .notFound = mock.contractSet.router.route("GET", "/") else { return false }
    return true
  }

  /// The refusal of the request, at any severity of its rule: there is nothing else to serve.
  private func refusal(_ finding: Diagnostic?, _ weighed: Diagnostic?) -> Reply {
    guard let finding, let violation = finding.violation else {
      return Problem.reply(status: 404, title: "No such path", code: "unknown-path", detail: "", diagnostics: [])
    }
    var headers: [(HTTPField.Name, String)] = []
    if case .wrongMethod(let allowed, _, _) = routing { headers = [(.allow, allowed.joined(separator: ", "))] }
    var status = violation.statuses[0]
    let index = mock.contractSet.contractIndex(along: routing)
    if mock.options.onInvalid == .contract, mock.contracts.indices.contains(index),
      case .status(let mapped)? = mock.contractSet.contracts[index].violations[violation]
    {
      status = mapped
    }
    let detail = Problem.detail([finding])
    let reply = Problem.reply(
      status: status, title: violation.title, code: violation.rawValue, detail: detail,
      diagnostics: [weighed].compactMap(\.self), headers: headers)
    return ProblemPage.reply(
      reply, to: request, title: violation.title, detail: detail, hasOverview: hasOverview)
  }

  /// The answer to a preflight, or to a plain OPTIONS (RFC 9110, 9.3.7) of a path that does not document one.
  private func options(_ allowed: [String]) -> Reply {
    var fields = HTTPFields()
    fields[.allow] = allowed.joined(separator: ", ")
    if isPreflight {
      fields[.accessControlAllowMethods] = allowed.joined(separator: ", ")
      fields[.accessControlAllowHeaders] = request.headerFields[.accessControlRequestHeaders] ?? "*"
      fields[.accessControlMaxAge] = "600"
    }
    return Reply(
      .made(HTTPResponse(status: .noContent, headerFields: fields), body: []),
      source: ReplySource(.about(isPreflight ? .preflight : .options)))
  }
}
