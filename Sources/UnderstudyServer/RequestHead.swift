import HTTPTypes
import NIOHTTP1
import Understudy

/// A request's head, translated, with what the connection has to know about it.
struct RequestHead {
  var request: HTTPRequest
  var terms: AnswerTerms
  /// Nil where none was announced.
  var contentLength: Int?
  var isChunked: Bool
  /// The client waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool
  /// The answer, if this head is reason enough to refuse the request.
  var refusal: Reply?
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
struct RequestHeadReader {
  private let cors: Bool
  private var source: HTTPRequestHead?
  private var last: RequestHead?
  private var fields = RequestFields(HTTPHeaders())

  init(cors: Bool) { self.cors = cors }

  mutating func read(_ head: HTTPRequestHead) -> RequestHead {
    if let source, Self.sameFields(source.headers, head.headers) {
      if let last, source.method == head.method, source.version == head.version, Self.sameBytes(source.uri, head.uri) {
        return last
      }
    } else {
      fields = RequestFields(head.headers)
    }
    let translated = translate(head)
    source = head
    last = translated
    return translated
  }

  private func translate(_ head: HTTPRequestHead) -> RequestHead {
    let target = RequestTarget(head.uri)
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
    var refusal: Reply?
    if fields.isChunked && (isLegacy || fields.contentLength != nil) {
      refusal = Refusal.ambiguousLength
    } else if fields.hasUnknownCoding {
      refusal = Refusal.unknownCoding
    } else if fields.hostCount > 1 || (fields.hostCount == 0 && !isLegacy) {
      refusal = Refusal.missingHost
    } else if isTunnel {
      refusal = Refusal.tunnel
    } else if fields.hasUnknownExpectation && !isLegacy {
      refusal = Refusal.unknownExpectation
    } else if method == nil {
      refusal = Refusal.malformed
    }
    return RequestHead(
      request: request, terms: terms, contentLength: fields.contentLength, isChunked: fields.isChunked,
      expectsContinue: fields.expectsContinue && !isLegacy, refusal: refusal)
  }

  private static func sameFields(_ a: HTTPHeaders, _ b: HTTPHeaders) -> Bool {
    guard a.count == b.count else { return false }
    var (i, j) = (a.startIndex, b.startIndex)
    while i != a.endIndex {
      let (x, y) = (a[i], b[j])
      guard sameBytes(x.name, y.name), sameBytes(x.value, y.value) else { return false }
      a.formIndex(after: &i)
      b.formIndex(after: &j)
    }
    return true
  }

  /// `==` would take canonically equivalent texts for the same.
  private static func sameBytes(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && a == b && (a.utf8.elementsEqual(b.utf8))
  }
}
