import CUnderstudyCurl
import UnderstudySystem
import UnderstudyVerification

/// A connection of libcurl on which a request for another protocol is sent; used by one thread at a time.
struct TunnelHandshake {
  private let easy: EasyHandle
  private let request: HTTPRequest
  private let settings: TransferSettings
  private let deadline: ContinuousClock.Instant

  /// Connects. Throws `UpstreamFailure`.
  init(_ request: HTTPRequest, _ settings: TransferSettings) throws {
    let head = try WireHead(request, hasBody: false)
    guard let easy = EasyHandle() else { throw UpstreamFailure.outOfMemory }
    (self.easy, self.request, self.settings) = (easy, request, settings)
    deadline = .now + settings.timeout
    easy.set(CURLOPT_URL, head.url)
    if let socket = settings.socket { easy.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
    if head.isDirect || settings.socket != nil { easy.set(CURLOPT_PROXY, "") }
    easy.set(CURLOPT_HTTPPROXYTUNNEL, 1)
    easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    easy.set(CURLOPT_CONNECT_ONLY, 1)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, settings.connectTimeout.wholeMilliseconds))
    easy.set(CURLOPT_NOSIGNAL, 1)
    if !settings.authorities.isEmpty { easy.set(CURLOPT_CAINFO_BLOB, settings.authorities) }
    let code = curl_easy_perform(easy.pointer)
    guard code == CURLE_OK else { throw failure(code) }
  }

  private func failure(_ code: CURLcode) -> UpstreamFailure {
    UpstreamFailure(
      CurlEnd(
        code: code, message: easy.errorMessage, server: request.authority ?? "",
        systemError: CInt(clamping: easy.number(CURLINFO_OS_ERRNO)),
        certificateError: easy.number(CURLINFO_SSL_VERIFYRESULT),
        proxyStatus: easy.number(CURLINFO_HTTP_CONNECTCODE)))
  }

  /// Sends the request, and waits for the head of the response. Throws `UpstreamFailure`.
  ///
  /// - Returns: The connection, and the bytes behind the head.
  func response() throws -> (HTTPResponse, TunnelConnection, rest: [UInt8]) {
    let connection = TunnelConnection(easy)
    var bytes = head[...]
    while !bytes.isEmpty {
      guard let count = try connection.send(bytes) else {
        try wait(for: POLLOUT, of: connection)
        continue
      }
      bytes = bytes.dropFirst(count)
    }
    var lines = HeaderLines(asksForProtocol: true)
    var received: [UInt8] = []
    while true {
      while let end = received.firstIndex(of: 0x0A) {
        let line = Array(received[...end])
        received.removeFirst(line.count)
        if let response = try lines.take(line) { return (response, connection, received) }
      }
      guard received.count < Self.lineLimit else {
        throw UpstreamFailure(.malformed, "a header of its response is longer than 100 KiB")
      }
      switch try connection.receive() {
      case .bytes(let more): received += more
      case .later: try wait(for: POLLIN, of: connection)
      case .end:
        throw UpstreamFailure(.closed, "it closed the connection without a response", isWithinAnswer: lines.isStarted)
      }
    }
  }

  private static let lineLimit = 100 << 10

  private var head: [UInt8] {
    var bytes = Array("GET \(request.path ?? "/") HTTP/1.1\r\nHost: \(request.authority ?? "")\r\n".utf8)
    for field in request.headerFields {
      bytes += Array("\(field.name.rawName): ".utf8)
      bytes += field.withUnsafeBytesOfValue { Array($0) }
      bytes += [0x0D, 0x0A]
    }
    return bytes + [0x0D, 0x0A]
  }

  private func wait(for event: CInt, of connection: TunnelConnection) throws {
    let rest = deadline - .now
    guard rest > .zero, connection.isReady(for: event, within: rest) else {
      throw UpstreamFailure(.timeout, "it was silent for longer than \(settings.setting)")
    }
  }
}

extension TunnelHandshake {
  /// The body of a response that refuses: up to a limit, and what arrives within the time limit.
  func body(of response: HTTPResponse, _ connection: TunnelConnection, _ first: [UInt8]) -> [UInt8] {
    var bytes = first
    let isChunked = response.headerFields[.transferEncoding] != nil
    while bytes.count < Self.bodyLimit {
      if isChunked, let body = Self.unchunked(bytes) { return body }
      if let length = response.announcedLength, bytes.count >= length { return Array(bytes.prefix(length)) }
      switch try? connection.receive() {
      case .bytes(let more)?: bytes += more
      case .later?: if (try? wait(for: POLLIN, of: connection)) == nil { return bytes }
      case .end?, nil: return bytes
      }
    }
    return bytes
  }

  /// 1 MiB.
  private static let bodyLimit = 1 << 20

  /// The content of chunks (RFC 9112, 7.1); `nil` before the last one.
  private static func unchunked(_ bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...]
    var content: [UInt8] = []
    while let end = rest.firstRange(of: [0x0D, 0x0A]) {
      let digits = rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), 0...bodyLimit ~= size else {
        return nil
      }
      if size == 0 { return content }
      let start = end.upperBound
      guard rest.endIndex - start >= size + 2 else { return nil }
      content += rest[start..<start + size]
      rest = rest[(start + size + 2)...]
    }
    return nil
  }
}

/// The bytes of a connection of libcurl, without waiting; used by one thread at a time.
struct TunnelConnection {
  private let easy: EasyHandle
  let socket: CInt

  init(_ easy: EasyHandle) { (self.easy, socket) = (easy, curl_socket_of(easy.pointer)) }

  enum Received {
    case bytes([UInt8])
    case later
    case end
  }

  /// The number of bytes that were taken; `nil` where none can be taken now.
  func send(_ bytes: ArraySlice<UInt8>) throws -> Int? {
    var count = 0
    let code = bytes.withUnsafeBytes { curl_easy_send(easy.pointer, $0.baseAddress, $0.count, &count) }
    if code == CURLE_AGAIN { return nil }
    guard code == CURLE_OK else { throw UpstreamFailure(.closed, "it closed the connection", isWithinAnswer: true) }
    return count
  }

  func receive() throws -> Received {
    var count = 0
    var code = CURLE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, written in
      code = curl_easy_recv(easy.pointer, buffer.baseAddress, buffer.count, &count)
      written = code == CURLE_OK ? count : 0
    }
    if code == CURLE_AGAIN { return .later }
    guard code == CURLE_OK else { throw UpstreamFailure(.closed, "it closed the connection", isWithinAnswer: true) }
    return count == 0 ? .end : .bytes(bytes)
  }

  private static let pieceSize = 16 << 10

  func isReady(for event: CInt, within time: Duration) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(event), revents: 0)
    return poll(&entry, 1, CInt(clamping: time.wholeMilliseconds + 1)) > 0
  }
}
