package import HTTPTypes
import NIOCore
import NIOHTTP1
package import UnderstudyMock

/// The head of a request. A class, because copying its parts from step to step would cost more than anything else.
package final class RequestHead: Sendable {
  package let shared: SharedRequest
  package let terms: ResponseTerms
  /// `nil` if no length was announced.
  let contentLength: Int?
  let isChunked: Bool
  let isCoded: Bool
  /// The client waits for `100 Continue` before it sends the body.
  let expectsContinue: Bool
  let refusal: Refusal?

  package init(
    _ request: HTTPRequest, terms: ResponseTerms = ResponseTerms(), contentLength: Int? = nil, isChunked: Bool = false,
    isCoded: Bool = false, expectsContinue: Bool = false, refusal: Refusal? = nil
  ) {
    shared = SharedRequest(request)
    self.terms = terms
    self.contentLength = contentLength
    self.isChunked = isChunked
    self.isCoded = isCoded
    self.expectsContinue = expectsContinue
    self.refusal = refusal
  }

  package var request: HTTPRequest { shared.head }

  var announcesBody: Bool { isChunked || contentLength ?? 0 > 0 }
}

package struct ResponseTerms: Sendable {
  package var closes = false
  /// The client uses HTTP/1.0, where an answer must state that the connection stays open.
  package var isLegacy = false
  /// The request is HEAD: its answer has no body.
  package var isHead = false
  /// The origin of the page that sent the request, if CORS is enabled.
  package var origin: String?

  package init(closes: Bool = false, isLegacy: Bool = false, isHead: Bool = false, origin: String? = nil) {
    self.closes = closes
    self.isLegacy = isLegacy
    self.isHead = isHead
    self.origin = origin
  }

  /// Whether the rendered bytes can be sent unchanged.
  var arePlain: Bool { !closes && !isLegacy && !isHead && origin == nil }
}

/// What the layer below HTTP knows of a client.
struct ConnectionPeer {
  /// `nil` for plain HTTP.
  private(set) var scheme: String?
  private let security: TransportSecurity?
  /// The value of `Client-Cert`: a byte sequence (RFC 9440, 2.2).
  private var certificate: String?

  /// Its registered name (RFC 9440, 4).
  private static let certificateName = HTTPField.Name("client-cert")

  init(of security: TransportSecurity? = nil) { self.security = security }

  mutating func secured(_ event: ConnectionSecured) {
    scheme = event.scheme
    certificate = event.clientCertificate.map { ":\(Base64.encode($0)):" }
  }

  var isRedirected: Bool { scheme == nil && security?.redirectsPlain == true }

  /// Replaces what the client claims to be its certificate.
  func addCertificate(to fields: inout HTTPFields) {
    guard let security, security.asksForCertificates, let name = Self.certificateName else { return }
    fields[name] = certificate
  }
}

/// Translates the heads of one connection and its streams.
///
/// Clients seldom change their fields between requests, so a head with the bytes of the last one is not translated, and
/// one with its fields only in part.
final class RequestHeadReader {
  private let cors: Bool
  private let lanes: Bool
  /// What the layer below HTTP knows of the client; it is set before the first head.
  var peer = ConnectionPeer()
  private var last: (bytes: ByteBuffer, head: RequestHead)?
  /// The last head whose bytes are unknown, as the head of a stream.
  private var lastDecoded: (source: HTTPRequestHead, head: RequestHead)?
  private var fields = RequestFields(HTTPHeaders(), nil)
  /// The source of `fields`; `nil` if it has characters beyond ASCII.
  private var headers: [(name: String, value: String)]?

  /// - Parameter lanes: Whether requests may name a lane.
  init(cors: Bool, lanes: Bool) { (self.cors, self.lanes) = (cors, lanes) }

  /// - Parameter raw: The bytes of the head, if they are known.
  func read(_ head: HTTPRequestHead, _ raw: RawHead?) -> RequestHead {
    if let last, raw?.isSame(as: last.bytes) == true { return last.head }
    guard raw?.begins(with: head) != false else {
      let refused = HTTPRequest(method: .get, scheme: nil, authority: nil, path: head.uri)
      return RequestHead(refused, terms: ResponseTerms(closes: true), refusal: .separators)
    }
    if headers.map({ Self.sameFields($0, head.headers) }) == true {
      if raw == nil, let lastDecoded, Self.sameLine(lastDecoded.source, head) { return lastDecoded.head }
    } else {
      fields = RequestFields(head.headers, raw, lanes: lanes)
      headers = Self.isASCII(head.headers) ? Array(head.headers) : nil
    }
    let translated = translate(head)
    last = raw?.copy().map { (bytes: $0, head: translated) }
    lastDecoded = raw == nil ? (source: head, head: translated) : nil
    return translated
  }

  private func translate(_ head: HTTPRequestHead) -> RequestHead {
    let target = ReceivedTarget(head.uri)
    let method = HTTPRequest.Method(head.method.wireName)
    var request = HTTPRequest(
      method: method ?? .get, scheme: target.scheme ?? peer.scheme, authority: target.authority ?? fields.host,
      path: fields.lane.map { LaneTarget.path(target.path, in: $0) } ?? target.path)
    request.headerFields = fields.translated
    peer.addCertificate(to: &request.headerFields)
    let isLegacy = head.version == .http1_0
    let isTunnel = head.method == .CONNECT
    let terms = ResponseTerms(
      // The decoder stops at a request for another protocol, so the connection cannot go on.
      closes: fields.wantsClose || isTunnel || fields.wantsUpgrade || (isLegacy && !fields.wantsKeepAlive),
      isLegacy: isLegacy, isHead: head.method == .HEAD, origin: cors ? fields.origin : nil)
    var refusal: Refusal?
    if fields.isTransferCoded
      && (isLegacy || fields.contentLength != nil || !fields.isChunked && !fields.hasUnknownCoding)
    {
      refusal = .ambiguousLength
    } else if fields.hasUnknownCoding {
      refusal = .unknownCoding
    } else if fields.hostCount > 1 || (fields.hostCount == 0 && !isLegacy) {
      refusal = .missingHost
    } else if fields.host.map(Self.isAuthority) == false {
      refusal = .host
    } else if isTunnel {
      refusal = .tunnel
    } else if fields.hasUnknownExpectation && !isLegacy {
      refusal = .unknownExpectation
    } else if method == nil {
      refusal = .malformed
    } else if peer.isRedirected {
      refusal = .plain
    }
    // A stream has no transfer coding: its frames end a body whose length is unknown (RFC 9113, 8.1).
    let isChunked = fields.isChunked || head.version == .http2 && fields.contentLength == nil
    return RequestHead(
      request, terms: terms, contentLength: fields.contentLength, isChunked: isChunked,
      isCoded: fields.isContentCoded, expectsContinue: fields.expectsContinue && !isLegacy, refusal: refusal)
  }

  /// Whether a text may be a host and a port (RFC 9110, 7.2), without a look at the rules for names.
  private static func isAuthority(_ host: String) -> Bool {
    host.utf8.allSatisfy { byte in
      switch byte {
      case 0...0x20, 0x7F, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"),
        UInt8(ascii: ","), UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
        false
      default: true
      }
    }
  }

  /// Whether two heads have the same first line, which is ASCII.
  private static func sameLine(_ known: HTTPRequestHead, _ new: HTTPRequestHead) -> Bool {
    known.uri == new.uri && known.method == new.method && known.version == new.version
  }

  private static func sameFields(_ known: [(name: String, value: String)], _ new: HTTPHeaders) -> Bool {
    guard known.count == new.count else { return false }
    var position = 0
    for (name, value) in new {
      guard sameBytes(known[position].name, name), sameBytes(known[position].value, value) else { return false }
      position += 1
    }
    return true
  }

  /// Whether two texts have the same bytes, where `known` is ASCII. `==` compares by canonical equivalence, but a text
  /// that is equivalent to ASCII is either the same or longer.
  private static func sameBytes(_ known: String, _ new: String) -> Bool {
    known.utf8.count == new.utf8.count && known == new
  }

  private static func isASCII(_ headers: HTTPHeaders) -> Bool {
    headers.allSatisfy { $0.value.utf8.allSatisfy { $0 < 0x80 } }
  }
}
