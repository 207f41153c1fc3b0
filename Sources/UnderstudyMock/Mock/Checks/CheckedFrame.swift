import UnderstudySockets

/// What the client checks remember of an event of a socket: of arguments and credentials only hashes.
package struct CheckedFrame: Codable, Sendable, Hashable {
  package enum Kind: String, Codable, Sendable {
    case connected, refused
    /// An event of the client, and one of the mock.
    case received, sent
    /// The client has left, or the connection is lost.
    case left
    /// The mock ends the connection or the namespace.
    case ended
  }

  /// Counts the frames of a lane, from 1.
  package var number: Int
  /// The time by the clock of the lane, in microseconds since 1970.
  package var time: Int
  package var socket: Int
  package var namespace: String
  package var kind: Kind
  /// The name of an event.
  package var event: String?
  /// The hash of the first argument.
  package var value: UInt64?
  /// The hash of what the client connected with: sockets that connect with the same belong to one client.
  package var client: UInt64

  /// `socket 3 > changesocketid`
  var text: String {
    let subject = "socket \(socket)" + (namespace == "/" ? "" : " \(namespace)")
    return switch kind {
    case .connected: "\(subject) connects"
    case .refused: "\(subject) is refused"
    case .received: "\(subject) > \(VisibleText.shortened(event ?? "", to: 80))"
    case .sent: "\(subject) < \(VisibleText.shortened(event ?? "", to: 80))"
    case .left: "\(subject) is gone"
    case .ended: "\(subject) is ended by the mock"
    }
  }

  /// Whether the socket is over.
  var isEnd: Bool { kind == .left || kind == .ended || kind == .refused }
}

/// A rule of clients over the frames of the sockets of a lane, and its exchanges.
package protocol SocketCheck: ClientCheck {
  /// The breaches so far.
  ///
  /// - Parameters:
  ///   - history: All that is known, the oldest first.
  ///   - time: The time by the clock of the lane, in microseconds since 1970.
  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach]
}

extension SocketCheck {
  package static func breach(
    of exchange: CheckedExchange, after earlier: ArraySlice<CheckedExchange>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? { nil }
}

/// Why a client breaks a check of sockets.
package struct SocketBreach: Sendable {
  /// The number of the frame that it is about: each is reported once.
  var frame: Int
  var message: String
  var help: String
  /// The frames and requests that prove it, in their order.
  var proof: [String]
}

/// The frames and exchanges that a lane holds.
package struct SocketHistory: Sendable {
  let frames: [CheckedFrame]
  let exchanges: [CheckedExchange]
  /// The time before which exchanges may have been dropped.
  let start: Int
  /// The frame that ends the socket of a frame, by the number of that frame.
  private let ends: [Int: CheckedFrame]

  init(frames: [CheckedFrame], exchanges: [CheckedExchange], start: Int) {
    (self.frames, self.exchanges, self.start) = (frames, exchanges, start)
    var (ends, next): ([Int: CheckedFrame], [SocketPlace: CheckedFrame]) = ([:], [:])
    for frame in frames.reversed() {
      let place = SocketPlace(socket: frame.socket, namespace: frame.namespace)
      if frame.isEnd { next[place] = frame }
      ends[frame.number] = next[place]
    }
    self.ends = ends
  }

  private struct SocketPlace: Hashable {
    let socket: Int
    let namespace: String
  }

  /// The frames of the socket of another one, in their order.
  func frames(of frame: CheckedFrame) -> [CheckedFrame] {
    frames.filter { $0.socket == frame.socket && $0.namespace == frame.namespace }
  }

  /// The end of a socket; `nil` while it is open.
  func end(of frame: CheckedFrame) -> CheckedFrame? { ends[frame.number] }

  /// The first success of some operations in a time.
  func success(of settings: ClientCheckSettings, in times: ClosedRange<Int>) -> CheckedExchange? {
    exchanges.first { $0.isSuccess && times.contains($0.time) && settings.covers($0) }
  }
}

extension CheckedExchange {
  var isSuccess: Bool { !isBroken && 200...299 ~= status }
}

extension LaneState {
  /// The most frames that the checks look back.
  private static let frameLimit = 400

  /// Whether a check of sockets is on.
  var checksSockets: Bool { checks.contains { ClientChecks.named($0.rule) is any SocketCheck.Type } }

  /// Notes the event of a client and what the mock does about it.
  mutating func noteFrames(_ event: SocketEvent, _ outputs: [SocketOutput], at now: Int) {
    var client: UInt64 = 0
    if case .connecting(_, _, _, let auth, let request) = event { client = Self.client(auth, request) }
    func add(
      _ kind: CheckedFrame.Kind, _ socket: Int, _ namespace: String, _ event: String? = nil, _ value: UInt64? = nil
    ) {
      frameCount += 1
      let known = frames.last { $0.socket == socket }?.client
      frames.append(
        CheckedFrame(
          number: frameCount, time: now, socket: socket, namespace: namespace, kind: kind, event: event, value: value,
          client: known ?? client))
    }
    switch event {
    case .connecting: break
    case .event(let id, let namespace, let name, let arguments, _):
      add(.received, id, namespace, name, arguments.values.first.map { StableHash.of($0.requestTexts) })
    case .disconnected(let id, let namespace):
      let isKnown = frames.last { $0.socket == id && $0.namespace == namespace }.map { !$0.isEnd } ?? true
      if isKnown { add(.left, id, namespace) }
    case .answered, .command, .time: break
    }
    for output in outputs {
      switch output.action {
      case .accept: add(.connected, output.socket, output.namespace)
      case .refuse: add(.refused, output.socket, output.namespace)
      case .emit(let name, _, _), .malformed(let name, _): add(.sent, output.socket, output.namespace, name)
      case .disconnect: add(.ended, output.socket, output.namespace)
      // The connection ends with all of its namespaces.
      case .close, .drop, .cut:
        for namespace in openNamespaces(of: output.socket) { add(.ended, output.socket, namespace) }
      case .acknowledge: break
      }
    }
    trimFrames()
  }

  private func openNamespaces(of socket: Int) -> [String] {
    var open: [String] = []
    for frame in frames where frame.socket == socket {
      if frame.kind == .connected { open.append(frame.namespace) }
      if frame.isEnd { open.removeAll { $0 == frame.namespace } }
    }
    return open
  }

  /// Drops the oldest frames, but not the beginnings of sockets that are open, which checks refer to.
  private mutating func trimFrames() {
    guard frames.count > 2 * Self.frameLimit else { return }
    let open = Set(sockets.sockets.map(\.id))
    let kept = frames.prefix(Self.frameLimit).filter { $0.kind == .connected && open.contains($0.socket) }
    frames = kept.suffix(Self.frameLimit / 2) + frames.dropFirst(Self.frameLimit)
    let known = Set(frames.map(\.number))
    for rule in reportedFrames.keys { reportedFrames[rule]?.formIntersection(known) }
  }

  /// The hash of the credentials and the parameters of a connection, without those of the protocol.
  private static func client(_ auth: JSON?, _ request: JSON) -> UInt64 {
    let own = ["sid", "EIO", "transport", "t", "b64", "understudy-lane"]
    let query = (request["query"]?.members.map { ($0.name, $0.value.text) } ?? []).filter { !own.contains($0.0) }
    let names = ["authorization", "cookie", "idtoken", "auth"]
    let fields = names.compactMap { name in request["header"]?[name].map { (name, $0.text) } }
    let texts = [auth.map { JSONWriter.text($0) } ?? ""] + (query + fields).map { "\($0.0)=\($0.1)" }.sorted()
    return StableHash.of(texts)
  }

  /// Reports what clients have broken by now, each frame once.
  mutating func checkSockets(_ rules: ValidationOptions, at time: Int) {
    guard checksSockets, !frames.isEmpty else { return }
    let socketHistory = SocketHistory(frames: frames, exchanges: history, start: historyStart)
    for settings in checks {
      guard let check = ClientChecks.named(settings.rule) as? any SocketCheck.Type else { continue }
      for breach in check.breaches(of: socketHistory, at: time, settings) {
        guard reportedFrames[settings.rule, default: []].insert(breach.frame).inserted else { continue }
        let finding = Diagnostic(
          check.rule, breach.message, severity: .error, notes: breach.proof.map { Diagnostic.Note($0) },
          help: breach.help)
        if let weighed = rules.weighed(finding) { note(weighed) }
      }
    }
  }
}
