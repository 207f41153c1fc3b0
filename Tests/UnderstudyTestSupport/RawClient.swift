import UnderstudySystem

/// A client that sends exactly the given bytes over a blocking socket.
package final class RawClient {
  /// -1 after closing.
  private var socket: CInt
  private var received: [UInt8] = []

  package struct Failure: Error {
    package var step: String
    package var code: CInt
  }

  package struct Response {
    package var status: Int
    /// Names in lower case.
    package var fields: [(name: String, value: String)]
    package var body: String
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
  }

  package enum End: Equatable {
    case closed, reset
  }

  /// The bytes before the end of a connection, and the kind of its end.
  package struct Rest: Equatable {
    package var text: String
    package var end: End
    package static let closed = Rest(text: "", end: .closed)

    package init(text: String, end: End) {
      self.text = text
      self.end = end
    }
  }

  package init(port: Int) throws {
    #if canImport(Glibc)
    let stream = CInt(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    socket = Self.socket(AF_INET, stream)
    // The processes of other tests must not get it.
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Failure(step: "connect", code: errno) }
    limitSilence()
  }

  /// Connects to a Unix socket.
  package init(path: String) throws {
    #if canImport(Glibc)
    let stream = CInt(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    socket = Self.socket(AF_UNIX, stream)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1)) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw Failure(step: "connect", code: errno) }
    limitSilence()
  }

  /// The server's end of a connection.
  init(accepted socket: CInt) { self.socket = socket; limitSilence() }

  /// A timeout, so that a peer that does not answer fails the test.
  private func limitSilence() {
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    #if canImport(Darwin)
    // In the place of MSG_NOSIGNAL.
    var isSilent: CInt = 1
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<CInt>.size))
    #endif
  }

  deinit { if socket >= 0 { close(socket) } }

  private static func socket(_ domain: CInt, _ kind: CInt) -> CInt {
    #if canImport(Darwin)
    Darwin.socket(domain, kind, 0)
    #elseif canImport(Musl)
    Musl.socket(domain, kind, 0)
    #else
    Glibc.socket(domain, kind, 0)
    #endif
  }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
    let flags: CInt = 0
    #else
    let flags = CInt(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { raw in
        #if canImport(Darwin)
        Darwin.send(socket, raw.baseAddress, raw.count, flags)
        #elseif canImport(Musl)
        Musl.send(socket, raw.baseAddress, raw.count, flags)
        #else
        Glibc.send(socket, raw.baseAddress, raw.count, flags)
        #endif
      }
      guard count > 0 else { throw Failure(step: "send", code: errno) }
      sent += count
    }
  }

  /// A request without a body.
  package func get(_ target: String, _ fields: String = "") throws {
    try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
  }

  /// Sends until the peer accepts no more for a while, or all is sent; returns the number of bytes.
  package func sendUntilHeld(_ bytes: [UInt8]) -> Int {
    var limit = timeval(tv_sec: 0, tv_usec: 300_000)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(socket, $0.baseAddress, min($0.count, 65_536)) }
      guard count > 0 else { break }
      sent += count
    }
    var none = timeval(tv_sec: 0, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &none, socklen_t(MemoryLayout<timeval>.size))
    return sent
  }

  /// Sends a text again and again; returns whether the server has closed the connection, at the latest after some seconds.
  package func isClosed(whileSending text: String) -> Bool {
    // Without requested events `poll` reports only the end of the connection.
    var connection = pollfd(fd: socket, events: 0, revents: 0)
    for _ in 0..<10_000 {
      guard (try? send(text)) != nil, poll(&connection, 1, 2) == 0 else { return true }
    }
    return false
  }

  /// Ends the connection like a killed program.
  package func reset() {
    var abrupt = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
    close(socket)
    socket = -1
  }

  package func endOutput() { shutdown(socket, CInt(SHUT_WR)) }

  /// `nil` after the last bytes of the server.
  private func receive() throws -> End? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count == 0 { return .closed }
    guard count > 0 else {
      if errno == ECONNRESET { return .reset }
      throw Failure(step: "receive", code: errno)
    }
    received += buffer[..<count]
    return nil
  }

  /// The place of the empty line at the end of a head. A search by the standard library takes long in a debug build.
  private static func headEnd(of bytes: [UInt8]) -> Int? {
    var index = 3
    while index < bytes.count {
      if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 { return index - 3 }
      index += 1
    }
    return nil
  }

  /// - Parameter hasBody: false for the answer to HEAD.
  package func response(hasBody: Bool = true) throws -> Response {
    var end: Int?
    while true {
      end = Self.headEnd(of: received)
      if end != nil { break }
      if try receive() != nil { throw Failure(step: "head, got \(String(decoding: received, as: UTF8.self))", code: 0) }
    }
    let head = String(decoding: received[..<(end ?? 0)], as: UTF8.self)
    received.removeFirst((end ?? 0) + 4)
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    var response = Response(status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: [], body: "")
    for line in lines.dropFirst() {
      let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
      response.fields.append((parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : ""))
    }
    let length = hasBody ? Int(response["content-length"] ?? "0") ?? 0 : 0
    while received.count < length {
      if try receive() != nil { throw Failure(step: "body", code: 0) }
    }
    response.body = String(decoding: received[..<length], as: UTF8.self)
    received.removeFirst(length)
    return response
  }

  /// Receives the head of a request, with its empty line.
  package func head() throws -> String { try text(through: "\r\n\r\n") }

  /// Receives up to the end of a text.
  package func text(through end: String) throws -> String { String(decoding: try data(through: end), as: UTF8.self) }

  /// Receives the bytes up to the end of a text.
  package func data(through end: String) throws -> [UInt8] {
    while true {
      if let range = received.firstRange(of: Array(end.utf8)) {
        defer { received.removeFirst(range.upperBound) }
        return Array(received[..<range.upperBound])
      }
      if try receive() != nil { throw Failure(step: "text, got \(String(decoding: received, as: UTF8.self))", code: 0) }
    }
  }

  /// Receives a number of bytes.
  package func bytes(_ count: Int) throws -> String { String(decoding: try data(count), as: UTF8.self) }

  /// Receives a number of bytes.
  package func data(_ count: Int) throws -> [UInt8] {
    while received.count < count {
      if try receive() != nil { throw Failure(step: "bytes", code: 0) }
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Receives some bytes; `nil` after the last ones.
  package func piece() throws -> [UInt8]? {
    if received.isEmpty, try receive() != nil { return nil }
    defer { received = [] }
    return received
  }

  /// Receives the rest, and the kind of end.
  package func rest() throws -> Rest {
    while true {
      if let end = try receive() {
        defer { received = [] }
        return Rest(text: String(decoding: received, as: UTF8.self), end: end)
      }
    }
  }
}
