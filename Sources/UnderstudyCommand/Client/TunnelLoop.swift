import CUnderstudyCurl
import Dispatch
import UnderstudySystem
import UnderstudyVerification

/// The thread that moves the bytes of all tunnels. Its methods may be called from any thread.
final class TunnelLoop: Sendable {
  private struct Inbox {
    var new: [CurlTunnel] = []
    var isRunning = false
    var isOpen = true
    var stopped: [CheckedContinuation<Void, Never>] = []
  }

  private let settings: TransferSettings
  private let inbox = Lock(Inbox())
  private let thread = DispatchQueue(label: "http.tunnels")
  /// Handshakes wait for their server, each on a thread of its own.
  private let handshakes = DispatchQueue(label: "http.handshakes", attributes: .concurrent)
  private let alarm = WakePipe()

  /// The time between two looks at tunnels that are about to close, in milliseconds.
  private static let closeCheck: CInt = 500

  init(_ settings: TransferSettings) { self.settings = settings }

  /// Connects, and asks for another protocol. Throws `UpstreamFailure`.
  func open(_ request: HTTPRequest) async throws -> TunnelResponse {
    let result: Result<TunnelResponse, any Error> = await withCheckedContinuation { continuation in
      handshakes.async { [self] in
        continuation.resume(returning: Result { try respond(to: request) })
      }
    }
    return try result.get()
  }

  private func respond(to request: HTTPRequest) throws -> TunnelResponse {
    let handshake = try TunnelHandshake(request, settings)
    let (response, connection, rest) = try handshake.response()
    guard response.status.code == 101 else {
      return .refused(response, handshake.body(of: response, connection, rest))
    }
    let tunnel = CurlTunnel(connection, rest, wake: { [weak self] in self?.alarm.wake() })
    let (isOpen, starts) = inbox.withLock { inbox in
      guard inbox.isOpen else { return (false, false) }
      inbox.new.append(tunnel)
      defer { inbox.isRunning = true }
      return (true, !inbox.isRunning)
    }
    guard isOpen else { throw UpstreamFailure(.unsendable, "the client stopped") }
    if starts { thread.async { [self] in run() } }
    alarm.wake()
    return .open(response, tunnel)
  }

  /// Closes all tunnels, and waits for the end of the thread.
  func stop() async {
    await withCheckedContinuation { continuation in
      let isOver = inbox.withLock { inbox in
        inbox.isOpen = false
        guard inbox.isRunning else { return true }
        inbox.stopped.append(continuation)
        return false
      }
      if isOver { continuation.resume() } else { alarm.wake() }
    }
  }

  // MARK: - The thread

  private func run() {
    SignalMask.blockAll()
    var tunnels: [CurlTunnel] = []
    while true {
      let (new, isOpen) = inbox.withLock { inbox in
        defer { inbox.new = [] }
        return (inbox.new, inbox.isOpen)
      }
      tunnels += new
      guard isOpen else { break }
      tunnels.removeAll { !$0.move() }
      var entries = [alarm.entry] + tunnels.map(\.entry)
      let isBusy = tunnels.contains(where: \.isBusy)
      let isClosing = tunnels.contains { $0.closeLimit != nil }
      _ = poll(&entries, nfds_t(entries.count), isBusy ? 0 : isClosing ? Self.closeCheck : -1)
      alarm.clear()
    }
    for tunnel in tunnels { tunnel.end() }
    let waiting = inbox.withLock { inbox in
      inbox.isRunning = false
      defer { inbox.stopped = [] }
      return inbox.stopped
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Ends the wait of a thread in `poll`.
final class WakePipe: Sendable {
  private let ends: (read: CInt, write: CInt)

  init() {
    var descriptors: [CInt] = [-1, -1]
    if pipe(&descriptors) == 0 {
      for descriptor in descriptors {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      }
    }
    ends = (descriptors[0], descriptors[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  var entry: pollfd { pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0) }

  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(ends.write, &byte, 1)
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(ends.read, &bytes, bytes.count) > 0 {}
  }
}

/// A tunnel by libcurl, whose connection only the thread of the loop uses.
final class CurlTunnel: Tunnel {
  private struct Outgoing {
    var bytes: [UInt8] = []
    var isClosed = false
    /// When the connection ends although the server has not taken all bytes.
    var closeLimit: ContinuousClock.Instant?
    var writers: [CheckedContinuation<Void, Never>] = []
  }

  nonisolated(unsafe) private let connection: TunnelConnection
  /// What the reader has had no room for.
  nonisolated(unsafe) private var held: [UInt8]
  /// Whether more may be read at once.
  nonisolated(unsafe) private(set) var isBusy = false
  private let incoming = AnswerStream()
  private let outgoing = Lock(Outgoing())
  private let wake: @Sendable () -> Void

  /// The bytes that wait to be sent before a writer has to wait.
  private static let limit = 256 << 10
  /// The most pieces that are read in a turn: other tunnels have theirs.
  private static let turn = 16
  /// The time that the server has to take the last bytes of a client that has left.
  private static let closeTimeout: Duration = .seconds(5)

  init(_ connection: TunnelConnection, _ first: [UInt8], wake: @escaping @Sendable () -> Void) {
    (self.connection, held, self.wake) = (connection, first, wake)
  }

  // MARK: - Any thread

  func read() async throws -> [UInt8]? { try await incoming.next(resume: wake) }

  func write(_ bytes: [UInt8]) async {
    await withCheckedContinuation { continuation in
      let waits = outgoing.withLock { outgoing in
        guard !outgoing.isClosed else { return false }
        outgoing.bytes += bytes
        guard outgoing.bytes.count > Self.limit else { return false }
        outgoing.writers.append(continuation)
        return true
      }
      wake()
      if !waits { continuation.resume() }
    }
  }

  func close() {
    outgoing.withLock { outgoing in
      outgoing.isClosed = true
      outgoing.closeLimit = outgoing.closeLimit ?? .now + Self.closeTimeout
    }
    wake()
  }

  // MARK: - The thread of the loop

  var entry: pollfd {
    let sends = outgoing.withLock { !$0.bytes.isEmpty }
    let events = (held.isEmpty ? POLLIN : 0) | (sends ? POLLOUT : 0)
    // The end of a connection would be reported without being asked for, again and again.
    return pollfd(fd: events == 0 ? -1 : connection.socket, events: Int16(events), revents: 0)
  }

  var closeLimit: ContinuousClock.Instant? { outgoing.withLock(\.closeLimit) }

  /// Moves what can be moved now. Returns whether the connection is still open.
  func move() -> Bool {
    do {
      try send()
      if try !receive() {
        end()
        return false
      }
    } catch {
      end()
      return false
    }
    let isOver = outgoing.withLock { outgoing in
      outgoing.isClosed && (outgoing.bytes.isEmpty || outgoing.closeLimit.map { $0 <= .now } == true)
    }
    if isOver { end() }
    return !isOver
  }

  private func send() throws {
    while true {
      let bytes = outgoing.withLock(\.bytes)
      guard !bytes.isEmpty, let count = try connection.send(bytes[...]) else { return }
      let writers = outgoing.withLock { outgoing -> [CheckedContinuation<Void, Never>] in
        outgoing.bytes.removeFirst(count)
        guard outgoing.bytes.count <= Self.limit else { return [] }
        defer { outgoing.writers = [] }
        return outgoing.writers
      }
      for writer in writers { writer.resume() }
    }
  }

  /// Returns `false` at the end of the connection.
  private func receive() throws -> Bool {
    isBusy = false
    for _ in 0..<Self.turn {
      if !held.isEmpty {
        guard held.withUnsafeBytes({ incoming.offer($0) }) else { return true }
        held = []
      }
      switch try connection.receive() {
      case .bytes(let bytes): held = bytes
      case .later: return true
      case .end: return false
      }
    }
    isBusy = true
    return true
  }

  func end() {
    let writers = outgoing.withLock { outgoing in
      (outgoing.isClosed, outgoing.bytes) = (true, [])
      defer { outgoing.writers = [] }
      return outgoing.writers
    }
    for writer in writers { writer.resume() }
    incoming.finish(.success(()))
  }
}
