#if TLS
import NIOCore
import NIOHPACK

/// Writes the request of a stream as HTTP/1 (RFC 9113, 8.3; RFC 9112).
struct RequestTranslation {
  private enum Body { case none, counted, chunked, ended }

  private(set) var isHead = false
  private var body: Body?

  /// Whether the client has sent all of it.
  var isComplete: Bool { body == .ended }

  /// Receives the head, or the trailers, which are left out.
  ///
  /// - Returns: The bytes of HTTP/1.
  mutating func receive(_ fields: HPACKHeaders, isLast: Bool) throws(StreamProblem) -> [UInt8] {
    if let body {
      self.body = .ended
      return body == .chunked ? Self.lastChunk : []
    }
    guard let method = fields.first(name: ":method"), let path = fields.first(name: ":path"), Self.isToken(method),
      Self.isTarget(path), method != "CONNECT"
    else { throw StreamProblem() }
    isHead = method == "HEAD"
    let authority = fields.first(name: ":authority") ?? fields.first(name: "host")
    var head = Array("\(method) \(path) HTTP/1.1\r\n".utf8)
    func add(_ name: String, _ value: String) throws(StreamProblem) {
      // A line end in a value would be another request to HTTP/1 (RFC 9113, 10.3).
      guard Self.isToken(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw StreamProblem()
      }
      head += Array("\(name): \(value)\r\n".utf8)
    }
    if let authority { try add("host", authority) }
    var cookies: [String] = []
    var isCounted = false
    for (name, value, _) in fields where !name.hasPrefix(":") && name != "host" {
      switch name {
      // One field of HTTP/1 (RFC 9113, 8.2.3).
      case "cookie": cookies.append(value)
      // Fields about the connection (RFC 9113, 8.2.2).
      case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": throw StreamProblem()
      default:
        if name == "content-length" { isCounted = true }
        try add(name, value)
      }
    }
    if !cookies.isEmpty { try add("cookie", cookies.joined(separator: "; ")) }
    if isLast {
      body = .ended
    } else if isCounted {
      body = .counted
    } else {
      body = .chunked
      try add("transfer-encoding", "chunked")
    }
    return head + Array("\r\n".utf8)
  }

  /// Receives a part of the body.
  mutating func receive(_ bytes: ByteBuffer, isLast: Bool) -> [ByteBuffer] {
    let isChunked = body == .chunked
    if isLast { body = .ended }
    var pieces: [ByteBuffer] = []
    if bytes.readableBytes > 0 {
      if isChunked { pieces.append(ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n")) }
      pieces.append(bytes)
      if isChunked { pieces.append(ByteBuffer(string: "\r\n")) }
    }
    if isLast, isChunked { pieces.append(ByteBuffer(bytes: Self.lastChunk)) }
    return pieces
  }

  private static let lastChunk = Array("0\r\n\r\n".utf8)

  /// RFC 9110, 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  private static func isTarget(_ text: String) -> Bool {
    (text.utf8.first == UInt8(ascii: "/") || text == "*") && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
#endif
