import CUnderstudyCurl
import UnderstudySystem
import UnderstudyVerification

/// An exchange in libcurl; used only by the curl thread.
///
/// libcurl's callbacks get an unretained pointer to it. `TransferTable` retains it until its handle is removed.
final class Transfer {
  let exchange: OutboundRequest
  private let settings: TransferSettings
  private let easy: EasyHandle
  private let sockets: ClientSockets
  private let isFresh: Bool
  /// When to give up connecting to a server that has no room.
  let connectLimit: ContinuousClock.Instant
  /// Whether the connection that libcurl chose had unread bytes, so that the exchange needs another one.
  private(set) var needsFreshConnection = false
  private var head = HeaderLines()
  /// The number of attempts to send the request.
  private var attempts = 0
  /// The last time that bytes were sent or received; `nil` before there is a connection.
  private var lastActivity: ContinuousClock.Instant?
  /// Whether the answer waits for its reader.
  private var isFull = false
  /// Whether the request waits for its writer.
  private var isStarved = false
  /// The number of sent bytes of the request's body.
  private var sent = 0
  /// The number of missing bytes of the answer's body; `nil` if unknown.
  private var missing: Int?
  /// Why this side ended the exchange.
  private var ownFailure: UpstreamFailure?

  /// `nil` if out of memory.
  ///
  /// - Parameter isFresh: Whether a new connection is used.
  init?(
    _ exchange: OutboundRequest, _ settings: TransferSettings, _ sockets: ClientSockets, isFresh: Bool,
    connectLimit: ContinuousClock.Instant
  ) {
    guard let easy = EasyHandle() else { return nil }
    self.easy = easy
    self.exchange = exchange
    self.settings = settings
    self.sockets = sockets
    self.isFresh = isFresh
    self.connectLimit = connectLimit
    if isFresh { easy.set(CURLOPT_FRESH_CONNECT, 1) }
    sockets.manage(easy)
    describe(exchange.head)
    setCallbacks()
  }

  var handle: UnsafeMutableRawPointer { easy.pointer }

  private func describe(_ head: WireHead) {
    easy.set(CURLOPT_URL, head.url)
    easy.set(CURLOPT_PATH_AS_IS, 1)
    if let target = head.target { easy.set(CURLOPT_REQUEST_TARGET, target) }
    if let socket = settings.socket { easy.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
    if head.isDirect || settings.socket != nil { easy.set(CURLOPT_PROXY, "") }
    if exchange.upload != nil {
      easy.set(CURLOPT_UPLOAD, 1)
      easy.setUploadLength(exchange.length)
    }
    if exchange.request.method == .head, exchange.upload == nil {
      easy.set(CURLOPT_NOBODY, 1)
    } else {
      easy.set(CURLOPT_CUSTOMREQUEST, exchange.request.method.rawValue)
    }
    // A request that cannot be repeated gets a new connection instead of one that was idle for more than a second, which
    // its server may be about to close. libcurl itself notices a connection that is closed already.
    if !exchange.isRepeatable { easy.set(CURLOPT_MAXAGE_CONN, 1) }
    easy.setFields(head.fields)
    setVersion()
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, settings.connectTimeout.wholeMilliseconds))
    easy.set(CURLOPT_NOSIGNAL, 1)
    if !settings.authorities.isEmpty { easy.set(CURLOPT_CAINFO_BLOB, settings.authorities) }
  }

  private func setVersion() {
    // HTTP/2 has no reason phrases, and names in lower case alone; both are checked.
    guard settings.usesHTTP2 else { return easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) }
    // libcurl 7.88 reads a head that is longer than this only when more arrives.
    easy.set(CURLOPT_BUFFERSIZE, 512 * 1024)
    guard exchange.request.scheme != "https" else { return easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS) }
    easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    guard !Curl.reusesPriorKnowledge else { return }
    easy.set(CURLOPT_FRESH_CONNECT, 1)
    easy.set(CURLOPT_FORBID_REUSE, 1)
  }

  // MARK: - Callbacks

  private func setCallbacks() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    _ = curl_set_request_start(
      handle, { this, _, _, _, port in Transfer.at(this)?.start(fromPort: Int(port)) ?? CURL_PREREQFUNC_ABORT }, this)
    easy.set(
      CURLOPT_HEADERFUNCTION,
      { Transfer.at($3)?.takeLine(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 }, this)
    easy.set(
      CURLOPT_WRITEFUNCTION,
      { Transfer.at($3)?.takePiece(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 }, this)
    easy.set(
      CURLOPT_READFUNCTION,
      { Transfer.at($3)?.givePiece(UnsafeMutableRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 }, this)
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
    pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// libcurl repeats any request if a reused connection ends without a byte of an answer. But a server may have acted
  /// on an unsafe request (RFC 9110, 9.2.2; RFC 9112, 9.3.1), unless no byte of it was sent. Once is enough: the
  /// second attempt has a new connection.
  ///
  /// - Parameter port: The port of this side; 0 for a Unix domain socket.
  private func start(fromPort port: Int) -> CInt {
    attempts += 1
    lastActivity = .now
    // Without TLS nothing of HTTP/1 arrives before a request: those bytes would be taken for its answer.
    if !isFresh, !settings.usesHTTP2, exchange.request.scheme != "https", sockets.hasInput(onPort: port) {
      needsFreshConnection = true
      return CURL_PREREQFUNC_ABORT
    }
    // A stream that HTTP/2 refuses was not processed (RFC 9113, 8.7): libcurl repeats it up to five times.
    let limit = settings.usesHTTP2 && exchange.isRepeatable ? 6 : 1
    let mayStart =
      attempts <= limit || attempts == 2 && (exchange.isRepeatable || easy.number(CURLINFO_REQUEST_SIZE) == 0)
    return mayStart ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    let response: HTTPResponse?
    do throws(UpstreamFailure) {
      response = try head.take(line)
    } catch {
      ownFailure = error
      return 0
    }
    if let response {
      missing = response.announcedLength
      // Many servers close after an error without saying so, and would lose the next request (RFC 9112, 9.6).
      if response.status.kind == .serverError { easy.set(CURLOPT_FORBID_REUSE, 1) }
      exchange.answer.begin(response)
      // libcurl expects a body after HEAD if the request had one.
      if endsWithHead { return 0 }
    }
    return line.count
  }

  private var endsWithHead: Bool { exchange.request.method == .head && exchange.upload != nil }

  private func takePiece(_ piece: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    isFull = !exchange.answer.offer(piece)
    guard !isFull else { return Int(CURL_WRITEFUNC_PAUSE) }
    missing = missing.map { $0 - piece.count }
    return piece.count
  }

  private func givePiece(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    lastActivity = .now
    switch exchange.upload?.read(into: buffer) {
    case .bytes(let count):
      sent += count
      return count
    case .later:
      isStarved = true
      return Int(CURL_READFUNC_PAUSE)
    case .failed(let failure):
      ownFailure = failure
      return Int(CURL_READFUNC_ABORT)
    case nil: return 0
    }
  }

  /// Continues after a pause. libcurl calls both sides again.
  func resume() {
    (isFull, isStarved) = (false, false)
    lastActivity = lastActivity.map { _ in .now }
    curl_easy_pause(handle, CURLPAUSE_CONT)
  }

  // MARK: - Limits and ends

  /// The time and the reason of failure unless bytes are sent or received. A pause of this side does not count.
  ///
  /// - Parameter headLimit: The time at which a head that has begun must be complete.
  func limit(
    ofHead headLimit: ContinuousClock.Instant?
  ) -> (instant: ContinuousClock.Instant, failure: UpstreamFailure)? {
    if let headLimit, head.isStarted, !head.isComplete {
      return (headLimit, UpstreamFailure(.timeout, "the head of its response had no end when the mock stopped"))
    }
    let whole = exchange.deadline.map {
      ($0, UpstreamFailure(.timeout, "its answer took longer than \(settings.setting)"))
    }
    guard let lastActivity, !isFull, !isStarved else { return whole }
    let isSent = exchange.upload == nil || head.isStarted || sent == exchange.length
    let silence = UpstreamFailure(
      .timeout,
      isSent
        ? "it was silent for longer than \(settings.setting)"
        : "it did not take the request within \(settings.setting)")
    let end = lastActivity + settings.timeout
    return whole.flatMap { $0.0 <= end ? $0 : nil } ?? (end, silence)
  }

  func fail(_ failure: UpstreamFailure) { exchange.finish(.failure(failure)) }

  /// Whether to connect again later, since the queue of a Unix domain socket was full. Nothing was sent.
  func connectsLater(_ code: CURLcode) -> Bool { wasTurnedAway(code) && .now < connectLimit }

  /// Unlike with TCP, the system does not wait for room (`connect(2)`, EAGAIN). libcurl takes this for a connection in
  /// progress, then finds that it is none, and has no error of the system for it. macOS refuses the connection, as it does
  /// where no server listens.
  private func wasTurnedAway(_ code: CURLcode) -> Bool {
    guard code == CURLE_COULDNT_CONNECT, let socket = settings.socket else { return false }
    #if canImport(Darwin)
    if end(code).systemError == ECONNREFUSED { return FileSystem.exists(socket) }
    #endif
    return [0, EAGAIN, ENOTCONN].contains(end(code).systemError)
  }

  func finish(_ code: CURLcode) {
    // A server may send its whole answer and close before it has read the request.
    if head.isComplete, code == CURLE_OK || endsWithHead || missing == 0 { return exchange.finish(.success(())) }
    let failure = wasTurnedAway(code) ? UpstreamFailure(.timeout, "its queue of connections stayed full") : nil
    fail(ownFailure ?? failure ?? UpstreamFailure(end(code)))
  }

  private func end(_ code: CURLcode) -> CurlEnd {
    CurlEnd(
      code: code, message: easy.errorMessage, server: exchange.request.authority ?? "",
      systemError: CInt(clamping: easy.number(CURLINFO_OS_ERRNO)),
      certificateError: easy.number(CURLINFO_SSL_VERIFYRESULT), proxyStatus: easy.number(CURLINFO_HTTP_CONNECTCODE),
      isAnswered: head.isStarted, hasPriorKnowledge: settings.usesHTTP2 && exchange.request.scheme != "https")
  }
}
