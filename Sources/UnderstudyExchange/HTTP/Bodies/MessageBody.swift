/// The body of one message, decoded once for all readers: the validator, a `when`, a template.
package final class MessageBody {
  /// As received, encoded.
  package let bytes: [UInt8]
  package let contentType: String?
  let codings: [String]

  package init(_ bytes: [UInt8], contentType: String? = nil, codings: [String] = []) {
    (self.bytes, self.contentType, self.codings) = (bytes, contentType, codings)
  }

  package private(set) lazy var type = contentType.flatMap { MediaRange($0) }

  /// The syntax of the Content-Type; a decoder that knows the same text sets it without parsing.
  package internal(set) lazy var syntax = type?.syntax

  private(set) lazy var decoded = Result { () throws(DecodingProblem) in try ContentCoding.decode(bytes, codings) }

  /// The decoded bytes; empty if decoding fails.
  private(set) lazy var plain: [UInt8] = {
    if codings.isEmpty { return bytes }
    guard case .success(.decoded(let bytes)) = decoded else { return [] }
    return bytes
  }()

  package private(set) lazy var json = Result { () throws(TextProblem) in try JSONParser.parse(plain) }

  /// The value of a JSON body; `nil` for any other body.
  package var root: JSON? {
    guard case .success(let document) = json else { return nil }
    return document.root
  }

  /// The structure of a multipart or XML body.
  private(set) lazy var structure = Structure(self)

  /// The parsed form of a body that conditions alone read. A class, so that other messages pay for one pointer.
  final class Structure {
    /// The parts of a multipart body; empty for any other body.
    let parts: [MultipartMessage.Part]
    /// The root element of an XML body; `nil` for any other body and for rejected XML.
    let xml: XMLElement?

    fileprivate init(_ body: MessageBody) {
      let boundary = body.syntax == .multipart ? body.type?["boundary"] ?? "" : ""
      parts = boundary.isEmpty ? [] : (try? MultipartMessage(body.plain, boundary: boundary))?.parts ?? []
      xml = body.syntax == .xml ? try? XMLDocument.parse(body.plain, charset: body.type?["charset"]) : nil
    }
  }

  package private(set) lazy var form = WirePairs(form: plain)
}
