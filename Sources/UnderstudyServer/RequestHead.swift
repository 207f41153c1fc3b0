import HTTPTypes
import NIOHTTP1

/// A request's head, translated, with what the connection has to know about it. A class, because it passes through many
/// hands and copying its parts would cost more than the rest of the way.
final class RequestHead {
  let request: HTTPRequest
  let terms: AnswerTerms
  /// Nil where none was announced.
  let contentLength: Int?
  let isChunked: Bool
  /// The client waits for `100 Continue` before it sends the body.
  let expectsContinue: Bool
  /// Set if this head is reason enough to refuse the request.
  let refusal: Refusal?

  init(
    _ request: HTTPRequest, terms: AnswerTerms, contentLength: Int?, isChunked: Bool, expectsContinue: Bool,
    refusal: Refusal?
  ) {
    self.request = request
    self.terms = terms
    self.contentLength = contentLength
    self.isChunked = isChunked
    self.expectsContinue = expectsContinue
    self.refusal = refusal
  }

  var announcesBody: Bool { isChunked || contentLength ?? 0 > 0 }
}

/// How an answer has to be framed for the request it belongs to.
struct AnswerTerms {
  /// The connection ends with this answer.
  var closes = false
  /// HTTP/1.0 wants to be told that the connection stays open.
  var isLegacy = false
  var isHead = false
  /// Of the page that asks, if the server lets pages of other origins read its answers.
  var origin: String?

  /// Nothing has to be added to or taken from the bytes that were rendered at load.
  var arePlain: Bool { !closes && !isLegacy && !isHead && origin == nil }
}

/// Translates the heads of one connection.
///
/// A client seldom changes its fields from one request to the next, so what was made of the last head is kept and used
/// again where the bytes are the same: on a connection that repeats itself, translation allocates nothing.
final class RequestHeadReader {
  private let cors: Bool
  private var last: RequestHead?
  private var fields = RequestFields(HTTPHeaders())
  /// What `last` and `fields` were made of.
  private var headers: [(name: String, value: String)] = []
  private var (method, version, uri) = (HTTPMethod.GET, HTTPVersion.http1_1, "")

  init(cors: Bool) { self.cors = cors }

  func read(_ head: HTTPRequestHead) -> RequestHead {
    let fieldsAreKnown = last != nil && Self.sameFields(headers, head.headers)
    if fieldsAreKnown, let last, method == head.method, version == head.version, Self.sameBytes(uri, head.uri) {
      return last
    }
    if !fieldsAreKnown { fields = RequestFields(head.headers) }
    let translated = translate(head)
    // Nil says that nothing is known: a head with other characters than ASCII is translated anew each time.
    last = Self.isASCII(head) ? translated : nil
    if !fieldsAreKnown { headers = Array(head.headers) }
    (method, version, uri) = (head.method, head.version, head.uri)
    return translated
  }

  private func translate(_ head: HTTPRequestHead) -> RequestHead {
    let target = ReceivedTarget(head.uri)
    let method = HTTPRequest.Method(head.method.rawValue)
    var request = HTTPRequest(
      method: method ?? .get, scheme: target.scheme, authority: target.authority ?? fields.host, path: target.path)
    request.headerFields = fields.translated
    let isLegacy = head.version == .http1_0
    let isTunnel = head.method == .CONNECT
    let terms = AnswerTerms(
      // What follows a request for another protocol is not parsed as HTTP/1, so the connection cannot go on.
      closes: fields.wantsClose || isTunnel || fields.wantsUpgrade || (isLegacy && !fields.wantsKeepAlive),
      isLegacy: isLegacy, isHead: head.method == .HEAD, origin: cors ? fields.origin : nil)
    var refusal: Refusal?
    if fields.isChunked && (isLegacy || fields.contentLength != nil) {
      refusal = .ambiguousLength
    } else if fields.hasUnknownCoding {
      refusal = .unknownCoding
    } else if fields.hostCount > 1 || (fields.hostCount == 0 && !isLegacy) {
      refusal = .missingHost
    } else if isTunnel {
      refusal = .tunnel
    } else if fields.hasUnknownExpectation && !isLegacy {
      refusal = .unknownExpectation
    } else if method == nil {
      refusal = .malformed
    }
    return RequestHead(
      request, terms: terms, contentLength: fields.contentLength, isChunked: fields.isChunked,
      expectsContinue: fields.expectsContinue && !isLegacy, refusal: refusal)
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

  /// Whether two texts are the same bytes, where `known` is ASCII. `==` takes canonically equivalent texts for the same,
  /// but what is equivalent to a text of ASCII is either that text or longer.
  private static func sameBytes(_ known: String, _ new: String) -> Bool {
    known.utf8.count == new.utf8.count && known == new
  }

  private static func isASCII(_ head: HTTPRequestHead) -> Bool {
    head.uri.utf8.allSatisfy { $0 < 0x80 } && head.headers.allSatisfy { $0.value.utf8.allSatisfy { $0 < 0x80 } }
  }
}
