import UnderstudySockets

extension LaneState {
  private static let frameLimit = 400

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
      case .acknowledge, .hold: break
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
  mutating func checkSockets(_ rules: ValidationOptions, at time: Int, isClosing: Bool = false) {
    guard checksSockets, !frames.isEmpty else { return }
    let socketHistory = SocketHistory(
      frames: frames, exchanges: history.exchanges, start: historyStart, isWhole: isClosing)
    for settings in checks {
      guard let check = ClientChecks.named(settings.rule) as? any SocketCheck.Type else { continue }
      for breach in check.breaches(of: socketHistory, at: time, settings) {
        guard reportedFrames[settings.rule, default: []].insert(breach.frame).inserted else { continue }
        let finding = Diagnostic(
          check.rule, breach.message, notes: breach.proof.map { Diagnostic.Note($0) }, help: breach.help)
        guard let weighed = rules.weighed(finding) else { continue }
        let count = findings.count
        note(weighed)
        // Each problem once, so that a log stays readable.
        if findings.count > count { sockets.report(weighed) }
      }
    }
  }
}
