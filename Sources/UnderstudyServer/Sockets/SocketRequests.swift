import NIOCore
import UnderstudyMock
import UnderstudySockets

extension ConnectionHandler: RemovableChannelHandler {}
extension InputTail: RemovableChannelHandler {}

extension MockHost {
  /// Serves the sockets of a mock, in the lane of a port if any; `nil` where it declares none.
  func socketService(for mock: Mock, in portLane: LaneName?) -> SocketService? {
    // With an upstream, the upstream serves the sockets.
    guard mock.sockets != nil, !mock.options.forwardsAll else { return nil }
    return SocketService(mock, sockets) { target in
      let target = portLane.map { LaneTarget.path(target, in: $0.text) } ?? target
      guard target.hasPrefix("/~") else {
        // A client that cannot set a header or a path names its lane in the query.
        return (Query(of: target).first(named: "understudy-lane"), target)
      }
      let parts = LaneTarget(target)
      return (parts.name, parts.path)
    } open: { name, request in
      guard let name else { return lanes.unnamed }
      guard let name = try? LaneName(name) else { return nil }
      // A refusal is the response to the request as one to an operation.
      guard lanes.knows(name) else {
        return LazyLane { () throws(LaneProblem) in
          let found: (any LaneAccess)?
          if let request {
            found = try lane(name, for: request, ofContract: true, by: mock)
          } else {
            found = try lanes.find(name)
          }
          guard let found else { throw LaneProblem(.unknown, "no lane `\(name)` is open", help: "open it first") }
          return found
        }
      }
      guard let request else { return name == .unnamed ? lanes.unnamed : (try? lanes.find(name)) ?? nil }
      return (try? lane(name, for: request, ofContract: true, by: mock)) ?? nil
    }
  }

  /// The reason that a socket does not reach the lane in its query; `nil` for every other request.
  func refusal(ofSocketAt target: String, by mock: Mock) -> LaneProblem? {
    guard let sockets = mock.sockets, !mock.options.forwardsAll,
      let end = target.utf8.firstIndex(of: UInt8(ascii: "?")), sockets.description(at: String(target[..<end])) != nil,
      let name = Query(of: target).first(named: "understudy-lane").flatMap({ try? LaneName($0) })
    else { return nil }
    return closed.problem(of: name)
  }
}

extension ConnectionHandler {
  /// Serves a request for a socket. Returns whether it is one.
  func serve(_ request: ReceivedRequest, _ sockets: SocketService, _ context: ChannelHandlerContext) -> Bool {
    guard request.refusal == nil, let head = request.head, let place = sockets.place(of: head.request) else {
      return false
    }
    guard place.query["sid"] == nil, place.request.method != .options else {
      serve(request, at: place, context)
      return true
    }
    let opening = NIOLoopBound((self, request, place, context), eventLoop: context.eventLoop)
    let queue = loop.socketQueue
    let open: @Sendable () -> Void = {
      queue.execute {
        let (handler, request, place, context) = opening.value
        handler.open(request, at: place, context)
        handler.run(context)
      }
    }
    guard place.lane.isDurable else {
      open()
      return true
    }
    // A worker reads the faults of the lane, for which no loop waits.
    place.lane.schedule { [lane = place.lane] in
      try? lane.refresh()
      try? lane.read { _, _ in }
      queue.loop.execute(open)
    }
    return true
  }

  private func open(_ request: ReceivedRequest, at place: SocketService.Place, _ context: ChannelHandlerContext) {
    let status: Int
    let text: String
    if loop.isQuiescing {
      (status, text) = (503, "the server shuts down")
    } else if let refusal = place.takeRefusal() {
      (status, text) = (refusal, "refused by a fault of the lane")
    } else {
      return serve(request, at: place, context)
    }
    place.service.hub.noteRefusal(status)
    var reply = Self.reply(status, text)
    (reply.isAboutMock, reply.lane) = (false, place.laneName)
    answer(request, with: reply, context)
  }

  private func serve(_ request: ReceivedRequest, at place: SocketService.Place, _ context: ChannelHandlerContext) {
    if place.description.kind == .websocket {
      PlainSocket.open(place, request, self, context)
    } else {
      serveEngine(place, request, context)
    }
  }

  private func serveEngine(
    _ place: SocketService.Place, _ request: ReceivedRequest, _ context: ChannelHandlerContext
  ) {
    let isUpgrade = SocketUpgrade.isAskedFor(place.request)
    let method = place.request.method.rawValue
    if method == "OPTIONS" { return answer(request, with: Self.preflight(place.request), context) }
    do throws(EngineRefusal) {
      let query = EngineRequest(method: method, query: place.query, isUpgrade: isUpgrade)
      let purpose = try query.purpose()
      if case .open(_, let transport) = purpose, !place.description.transports.contains(transport) {
        throw .unknownTransport
      }
      switch purpose {
      case .open(_, .polling) where place.takeFault({ $0 == .noPolling }) != nil: throw .unknownTransport
      case .session(_, .websocket) where place.takeFault({ $0 == .noUpgrade }) != nil: throw .badRequest
      default: break
      }
      switch purpose {
      case .open(let version, .polling):
        _ = EngineEndpoint(
          place, version, loop.engines, on: loop.socketQueue, answer: later(request, context), channel: nil,
          record: socketRecords(of: request, place, status: .ok))
      case .open(let version, .websocket): upgrade(place, request, context, version: version, session: nil)
      case .session(let id, let transport):
        guard let session = loop.engines.find(id, in: place.lane) else { throw .unknownSession }
        if transport == .websocket { return upgrade(place, request, context, version: nil, session: session) }
        switch method {
        case "GET":
          whenLeft = session.poll(later(request, context))
        case "POST":
          let type = place.request.headerFields[.contentType]?.lowercased() ?? ""
          session.post(
            request.body, isBinary: type.hasPrefix("application/octet-stream"), later(request, context))
        default: throw .badRequest
        }
      }
    } catch {
      place.service.hub.noteRefusal(error.response.status)
      answer(request, with: Self.reply(error.response), context)
    }
  }

  /// Answers a request of the polling transport when its session does.
  private func later(_ request: ReceivedRequest, _ context: ChannelHandlerContext) -> EngineEndpoint.Answer {
    let bound = NIOLoopBound((self, context, request), eventLoop: context.eventLoop)
    return { response in
      bound.eventLoop.execute {
        let (handler, context, request) = bound.value
        handler.whenLeft = nil
        handler.answer(request, with: Self.reply(response), context)
        handler.run(context)
      }
    }
  }

  private func upgrade(
    _ place: SocketService.Place, _ request: ReceivedRequest, _ context: ChannelHandlerContext,
    version: EngineVersion?, session: EngineEndpoint?
  ) {
    do throws(WebSocketHandshake.Refusal) {
      let handshake = try SocketUpgrade.handshake(request, place)
      let ticket = session == nil ? EngineEndpoint.first : Ticket.next()
      let box = EndpointBox(session)
      let (registry, queue) = (loop.engines, loop.socketQueue)
      let record = socketRecords(of: request, place, status: .switchingProtocols)
      upgrade(handshake, SocketUpgrade.limits(place.description), context) { update in
        if let endpoint = box.endpoint {
          endpoint.receive(update, on: ticket)
        } else if case .read(let next) = update {
          next()
        }
      } opened: { channel in
        if let session {
          session.attach(channel, ticket)
        } else if let version {
          let open = NIOLoopBound(
            {
              guard channel.isActive else { return }
              box.endpoint = EngineEndpoint(
                place, version, registry, on: queue, answer: nil, channel: channel, record: record)
            }, eventLoop: queue.loop)
          guard version == .three else { return open.value() }
          queue.loop.scheduleTask(in: Self.legacyPause) { open.value() }
        }
      }
    } catch {
      place.service.hub.noteRefusal(error.status)
      answer(request, with: Self.reply(error), context)
    }
  }

  /// Old clients, and the official suite for them, lose a first packet that arrives in the segment of the 101.
  private static var legacyPause: TimeAmount { .milliseconds(20) }

  static func reply(_ refusal: WebSocketHandshake.Refusal) -> Reply {
    var fields = HTTPFields()
    // RFC 6455, 4.2.2; a 426 names the protocol (RFC 9110, 15.5.22).
    if refusal == .version { HTTPField.Name("Sec-WebSocket-Version").map { fields[$0] = "13" } }
    if refusal.status == 426 { fields[.upgrade] = "websocket" }
    return reply(refusal.status, refusal.message, fields)
  }

  static func reply(_ status: Int, _ text: String, _ fields: HTTPFields = [:]) -> Reply {
    reply(EngineResponse(status: status, mediaType: "text/plain; charset=utf-8", body: Array(text.utf8)), fields)
  }

  static func reply(_ response: EngineResponse, _ fields: HTTPFields = [:]) -> Reply {
    var fields = fields
    fields[.contentType] = response.mediaType
    fields[.cacheControl] = "no-store"
    let head = HTTPResponse(status: .init(code: response.status), headerFields: fields)
    var reply = Reply(.made(head, body: response.body), source: ReplySource(.plain(response.status)))
    reply.isAboutMock = true
    return reply
  }

  private static func preflight(_ request: HTTPRequest) -> Reply {
    var fields: HTTPFields = [.accessControlAllowMethods: "GET, POST"]
    fields[.accessControlAllowHeaders] = request.headerFields[.accessControlRequestHeaders]
    let head = HTTPResponse(status: .noContent, headerFields: fields)
    var reply = Reply(.made(head, body: []), source: ReplySource(.plain(204)))
    reply.isAboutMock = true
    return reply
  }

  // MARK: - Answers of operations

  /// Answers an operation that concerns sockets: opens its stream, or lets the lane's sockets know.
  func answer(
    _ request: ReceivedRequest, with reply: Reply, _ effects: SocketEffects, _ sockets: SocketService?,
    _ context: ChannelHandlerContext
  ) {
    var plain = reply
    plain.sockets = nil
    switch effects {
    case .stream(let number, _, let environment):
      guard let head = request.head?.request,
        let place = sockets?.place(ofStream: number, lane: reply.lane, head)
      else { break }
      plain.forward = StreamSocket.forward(place, environment, reply: plain)
    case .outputs(let held):
      guard let sockets, let lane = sockets.lane(named: reply.lane) else { break }
      return answer(request, with: plain, held, in: lane, sockets, context)
    case .script(let script):
      if let sockets, let lane = sockets.lane(named: reply.lane) {
        lane.schedule { sockets.hub.release(nil, by: sockets.mock, in: lane) }
      }
      guard let head = request.head?.request else { break }
      plain.forward = Forward(script, plain, to: head)
    case .relay(let relay): return self.relay(relay, request, plain, context)
    }
    answer(request, with: plain, context)
  }

  /// Sends the response between the outputs of its lane that precede it and the outputs that wait for it.
  private func answer(
    _ request: ReceivedRequest, with reply: Reply, _ held: Int?, in lane: any LaneAccess, _ sockets: SocketService,
    _ context: ChannelHandlerContext
  ) {
    let begins = reply.delay == .zero ? held : nil
    let connection = NIOLoopBound((handler: self, context, request), eventLoop: context.eventLoop)
    let respond: @Sendable () -> Void = {
      let (handler, context, request) = connection.value
      handler.answer(request, with: reply, context)
      guard let held else { return }
      // After the response, which the loop writes first.
      context.eventLoop.scheduleTask(in: TimeAmount(reply.delay)) {
        lane.schedule { sockets.hub.release(held, by: sockets.mock, in: lane) }
      }
    }
    guard lane.isDurable else {
      sockets.hub.beginResponse(begins, by: sockets.mock, in: lane)
      return respond()
    }
    lane.schedule {
      sockets.hub.beginResponse(begins, by: sockets.mock, in: lane)
      connection.eventLoop.execute {
        respond()
        let (handler, context, _) = connection.value
        handler.run(context)
      }
    }
  }
}

/// A session that exists only after the handshake of its WebSocket. The loop of the WebSocket alone uses it.
private final class EndpointBox {
  var endpoint: EngineEndpoint?

  init(_ endpoint: EngineEndpoint?) { self.endpoint = endpoint }
}
