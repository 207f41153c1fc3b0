/// Decodes the content codings of a body (RFC 9110, section 8.4.1): gzip, deflate, br and identity.
package enum ContentCoding {
  /// Bytes of the decoded body: a compressed kilobyte can hold a gigabyte.
  package static let decodedLimit = 16 * 1024 * 1024
  /// Codings of one body; each multiplies the size.
  package static let layerLimit = 4

  package enum Outcome: Sendable, Equatable {
    case decoded([UInt8])
    /// The coding is not supported, such as `zstd`: the body cannot be validated.
    case unknown(String)
  }

  enum Failure: Error {
    case corrupt
    case truncated
    case limit
  }

  /// The decoded bytes; the last coding of `Content-Encoding` is decoded first.
  package static func decode(_ bytes: [UInt8], _ lines: [String]) throws(DecodingProblem) -> Outcome {
    // Nothing is the coding of nothing: servers announce a coding before they know that the body is empty.
    guard !lines.isEmpty, !bytes.isEmpty else { return .decoded(bytes) }
    let codings = names(lines)
    guard codings.count <= layerLimit else {
      throw DecodingProblem(.limit, "", "the body has \(codings.count) content codings; the limit is \(layerLimit)")
    }
    var bytes = bytes
    for coding in codings.reversed() {
      do {
        switch coding {
        case "gzip", "x-gzip": bytes = try Inflate.gzip(bytes, limit: decodedLimit)
        case "deflate": bytes = try Inflate.deflate(bytes, limit: decodedLimit)
        case "br": bytes = try BrotliDecoding.decode(bytes, limit: decodedLimit)
        default: return .unknown(coding)
        }
      } catch {
        throw problem(error, coding)
      }
    }
    return .decoded(bytes)
  }

  private static func problem(_ failure: Failure, _ coding: String) -> DecodingProblem {
    switch failure {
    case .corrupt: DecodingProblem(.syntax, "", "the body is not valid `\(coding)`, its Content-Encoding")
    case .truncated: DecodingProblem(.syntax, "", "the `\(coding)` coding of the body is cut off")
    case .limit:
      DecodingProblem(.limit, "", "the body decodes to more than \(decodedLimit) bytes by its coding `\(coding)`")
    }
  }
}
