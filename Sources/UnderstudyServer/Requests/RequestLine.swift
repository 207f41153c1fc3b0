import HTTPTypes
import NIOCore
import NIOHTTP1

/// A request line with a method that llhttp's fixed list lacks, and so refuses without a head. Such a method of
/// `additionalOperations` (OAS 3.2) cannot be served, only named.
struct RequestLine {
  let method: HTTPRequest.Method
  let target: String

  /// The longest part of a read that is searched, in bytes.
  private static let limit = 16 * 1024

  /// The first such line of a read; earlier requests of a pipeline may come before it.
  init?(unknownIn bytes: ByteBuffer) {
    for line in bytes.readableBytesView.prefix(Self.limit).split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard parts.count == 3, parts[2].starts(with: "HTTP/1.".utf8), parts[1].allSatisfy({ 0x21..<0x7F ~= $0 }),
        // Only a token is a method (RFC 9110, 9.1).
        let method = HTTPRequest.Method(String(decoding: parts[0], as: UTF8.self)),
        case .RAW = HTTPMethod(rawValue: method.rawValue)
      else { continue }
      self.method = method
      target = String(decoding: parts[1], as: UTF8.self)
      return
    }
    return nil
  }

  /// A head for the log; its answer ends the connection.
  var head: RequestHead {
    let target = ReceivedTarget(target)
    return RequestHead(
      HTTPRequest(method: method, scheme: target.scheme, authority: target.authority, path: target.path),
      terms: ResponseTerms(closes: true))
  }
}
