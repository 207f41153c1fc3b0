import UnderstudySchema

package struct EngineRequest: Sendable, Hashable {
  package var method: String
  /// The parameters of the query, decoded. The first of a name counts.
  package var query: [String: String]
  package var isUpgrade: Bool

  package init(method: String, query: [String: String], isUpgrade: Bool) {
    (self.method, self.query, self.isUpgrade) = (method, query, isUpgrade)
  }

  package enum Purpose: Sendable, Hashable {
    case open(EngineVersion, EngineTransport)
    /// A request with the identifier of a session.
    case session(String, EngineTransport)
  }

  package func purpose() throws(EngineRefusal) -> Purpose {
    guard let transport = query["transport"].flatMap(EngineTransport.init) else { throw .unknownTransport }
    // Both official suites want a missing version to be refused.
    guard let version = EngineVersion(query: query["EIO"]) else { throw .unsupportedVersion }
    guard (transport == .websocket) == isUpgrade else { throw .badRequest }
    if let session = query["sid"] { return .session(session, transport) }
    guard method == "GET" else { throw .badMethod }
    return .open(version, transport)
  }
}

package enum EngineTransport: String, Sendable, Hashable, Codable {
  case polling, websocket
}

/// Why a request is refused, with the codes of the reference implementation.
package enum EngineRefusal: Int, Error, Sendable, Hashable {
  case unknownTransport = 0
  case unknownSession = 1
  case badMethod = 2
  case badRequest = 3
  case forbidden = 4
  case unsupportedVersion = 5

  package var message: String {
    switch self {
    case .unknownTransport: "Transport unknown"
    case .unknownSession: "Session ID unknown"
    case .badMethod: "Bad handshake method"
    case .badRequest: "Bad request"
    case .forbidden: "Forbidden"
    case .unsupportedVersion: "Unsupported protocol version"
    }
  }

  package var response: EngineResponse {
    let body = JSON.object([("code", .integer(rawValue)), ("message", .string(message))])
    return EngineResponse(
      status: self == .forbidden ? 403 : 400, mediaType: "application/json", body: JSONWriter.bytes(body))
  }
}

package struct EngineResponse: Sendable, Hashable {
  package var status: Int
  package var mediaType: String
  package var body: [UInt8]

  package init(status: Int, mediaType: String, body: [UInt8]) {
    (self.status, self.mediaType, self.body) = (status, mediaType, body)
  }

  /// The response to a POST. HTML, as the reference implementation sends it.
  static let ok = EngineResponse(status: 200, mediaType: "text/html", body: Array("ok".utf8))
  static let tooLarge = EngineResponse(status: 413, mediaType: "text/plain; charset=UTF-8", body: [])

  init(_ packets: [EnginePacket], _ version: EngineVersion, acceptsBinary: Bool) {
    let body = EnginePayload.encode(packets, version, acceptsBinary: acceptsBinary)
    self.init(status: 200, mediaType: body.mediaType, body: body.bytes)
  }
}
