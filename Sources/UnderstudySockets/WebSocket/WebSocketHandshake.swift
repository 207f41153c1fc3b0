import UnderstudySchema

/// The opening handshake of a WebSocket on the side of the server (RFC 6455, 4.2).
package struct WebSocketHandshake: Sendable, Hashable {
  package let accept: String
  /// The first of the client's subprotocols that the server has.
  package let subprotocol: String?

  /// The reason that a request gets no 101.
  package enum Refusal: Error, Sendable, Hashable {
    /// The method is not GET (4.2.1, 1).
    case method
    /// The version of HTTP is below 1.1 (4.2.1, 1).
    case httpVersion
    /// No `Upgrade: websocket` (4.2.1, 3).
    case upgrade
    /// No `Connection: Upgrade` (4.2.1, 4).
    case connection
    /// `Sec-WebSocket-Key` is not the base64 of 16 bytes (4.2.1, 5).
    case key
    /// `Sec-WebSocket-Key` is there more than once (11.3.1).
    case keys
    /// `Sec-WebSocket-Version` is not 13 (4.2.1, 6).
    case version

    /// The status of the response. 426 names the versions that the server has (4.2.2, 4).
    package var status: Int { self == .version || self == .upgrade ? 426 : self == .method ? 405 : 400 }

    package var message: String {
      switch self {
      case .method: "a WebSocket begins with GET (RFC 6455, 4.1)"
      case .httpVersion: "a WebSocket begins with a request of HTTP/1.1 (RFC 6455, 4.1)"
      case .upgrade: "the request has no `Upgrade: websocket` (RFC 6455, 4.1)"
      case .connection: "the request has no `Connection: Upgrade` (RFC 6455, 4.1)"
      case .key: "`Sec-WebSocket-Key` is not 16 bytes in base64 (RFC 6455, 4.1)"
      case .keys: "`Sec-WebSocket-Key` must not appear more than once (RFC 6455, 11.3.1)"
      case .version: "`Sec-WebSocket-Version` is not 13 (RFC 6455, 4.1)"
      }
    }
  }

  /// Reads a request. Extensions are declined: a response without `Sec-WebSocket-Extensions` negotiates none (9.1), so
  /// no frame may be compressed. `field` returns the values of a field by its name in lower case, joined by commas;
  /// `isLegacy` is true for HTTP/1.0; `subprotocols` are the server's, of which the client prefers one.
  package init(
    method: String, isLegacy: Bool = false, subprotocols: [String] = [], field: (String) -> String?
  ) throws(Refusal) {
    guard method == "GET" else { throw .method }
    guard Self.tokens(field("upgrade")).contains(where: { $0.lowercased() == "websocket" }) else { throw .upgrade }
    guard Self.tokens(field("connection")).contains(where: { $0.lowercased() == "upgrade" }) else { throw .connection }
    guard Self.tokens(field("sec-websocket-version")) == ["13"] else { throw .version }
    if let ambiguity = Self.ambiguity(isLegacy: isLegacy, field: field) { throw ambiguity }
    guard let key = Self.tokens(field("sec-websocket-key")).first, Base64.decode(Array(key.utf8))?.count == 16 else {
      throw .key
    }
    accept = Self.accept(key)
    subprotocol = Self.tokens(field("sec-websocket-protocol")).first { subprotocols.contains($0) }
  }

  /// The reason that two servers may read a request differently, so that a proxy must not pass it on either; `nil` if they agree.
  package static func ambiguity(isLegacy: Bool, field: (String) -> String?) -> Refusal? {
    if isLegacy { return .httpVersion }
    // Base64 has no comma, so each one joins two fields, of which either may be empty.
    return field("sec-websocket-key")?.utf8.contains(UInt8(ascii: ",")) == true ? .keys : nil
  }

  /// The value of `Sec-WebSocket-Accept` for a key (4.2.2, 5).
  package static func accept(_ key: String) -> String {
    Base64.encode(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  package static func isAskedFor(upgrade: String?) -> Bool {
    guard let upgrade else { return false }
    return tokens(upgrade).contains { $0.lowercased() == "websocket" }
  }

  package var fields: [(name: String, value: String)] {
    var fields = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)]
    if let subprotocol { fields.append(("Sec-WebSocket-Protocol", subprotocol)) }
    return fields
  }

  private static func tokens(_ list: String?) -> [String] {
    guard let list else { return [] }
    return list.utf8.split(separator: UInt8(ascii: ",")).map { part in
      var token = part.drop(while: Self.isSpace)
      while let last = token.last, isSpace(last) { token.removeLast() }
      return String(Substring(token))
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
