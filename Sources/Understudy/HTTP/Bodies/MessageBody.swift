/// The body of one message with what several readers make of it, made once: the judge, a `when`, a template.
package final class MessageBody {
  /// As it came, codings and all.
  package let bytes: [UInt8]
  package let contentType: String?
  /// The lines of Content-Encoding.
  let codings: [String]

  package init(_ bytes: [UInt8], contentType: String? = nil, codings: [String] = []) {
    self.bytes = bytes
    self.contentType = contentType
    self.codings = codings
  }

  /// What Content-Type says; `nil` where there is none, or none to be read.
  ///
  /// A decoder that knows the same text sets what it made of it.
  lazy var type = contentType.flatMap { MediaRange($0) }

  package var syntax: MediaRange.Syntax? { type?.syntax }

  /// What is below the content codings.
  private(set) lazy var decoded = Result { () throws(DecodingProblem) in try ContentCoding.decode(bytes, codings) }

  /// The bytes below the content codings; empty where these cannot be undone.
  var plain: [UInt8] {
    guard case .success(.decoded(let bytes)) = decoded else { return [] }
    return bytes
  }

  package private(set) lazy var json = Result { () throws(TextProblem) in try JSONParser.parse(plain) }

  /// The fields of a form.
  package private(set) lazy var form = WirePairs(Query(plain))
}
