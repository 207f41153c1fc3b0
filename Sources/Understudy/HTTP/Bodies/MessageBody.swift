/// The body of one message with what several readers make of it, made once: the validator, a `when`, a template.
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
  private(set) lazy var type = contentType.flatMap { MediaRange($0) }

  /// How the body is read by its Content-Type; a decoder that knows the same text sets what it made of it.
  package internal(set) lazy var syntax = type?.syntax

  /// What is below the content codings.
  private(set) lazy var decoded = Result { () throws(DecodingProblem) in try ContentCoding.decode(bytes, codings) }

  /// The bytes below the content codings; empty where these cannot be undone.
  private(set) lazy var plain: [UInt8] = {
    if codings.isEmpty { return bytes }
    guard case .success(.decoded(let bytes)) = decoded else { return [] }
    return bytes
  }()

  package private(set) lazy var json = Result { () throws(TextProblem) in try JSONParser.parse(plain) }

  /// The fields of a form.
  package private(set) lazy var form = WirePairs(form: plain)
}
