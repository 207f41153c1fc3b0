/// A JSON Web Token in its compact form (RFC 7515, section 7.1; RFC 7516, section 7.1).
struct JSONWebToken {
  private let header: JSON
  private let parts: [ArraySlice<UInt8>]

  /// Longer headers are not read.
  private static let headerLimit = 8192

  /// `nil` unless the first part is a JSON object that names an algorithm.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: "eyJ".utf8) else { return nil }
    parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 5, parts[0].count <= Self.headerLimit,
      let text = Base64.decode(url: parts[0]), let header = try? JSONParser.parse(text).root, header.isObject,
      header["alg"]?.isString == true
    else { return nil }
    self.header = header
  }

  /// The end of a token that may start at a position; a full stop at the end of a sentence is not part of it.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes[start...].starts(with: "eyJ".utf8) else { return nil }
    var (end, dots) = (start, 0)
    // Text with more parts is not a token, and is not searched from each of them to its end.
    while end < bytes.count, dots < 5, KeyPrefix.Alphabet.dotted.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: ".") { dots += 1 }
      end += 1
    }
    guard dots == 2 || dots == 3 || dots == 4 else { return nil }
    if dots == 3, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
    return JSONWebToken(bytes[start..<end]) == nil ? nil : end
  }

  /// Claims that refer to users, clients and rights. They are not secret, and clients read them.
  private static let keptClaims = [
    "iss", "sub", "aud", "azp", "client_id", "scope", "scp", "roles", "groups", "token_use",
  ]

  /// 2100-01-01T00:00:00Z
  private static let farExpiry = 4_102_444_800

  /// A token that can be decoded, and whose signature is not one.
  func placeholder(_ number: Int) -> [UInt8] {
    let kept = ["alg", "enc", "typ", "cty"].compactMap { name in header[name].map { (name, $0) } }
    let signature = Self.filler(number, count: parts[parts.count - 1].count)
    guard parts.count == 3 else {
      return Self.joined([Self.encoded(.object(kept))] + parts.dropFirst().map { Self.filler(number, count: $0.count) })
    }
    let claims = Base64.decode(url: parts[1]).flatMap { try? JSONParser.parse($0).root } ?? .object([])
    let members = Self.keptClaims.compactMap { name in claims[name].map { (name, $0) } }
    let payload: JSON = .object(
      members + [("exp", .integer(Self.farExpiry)), ("jti", .string("redacted-\(number)"))])
    return Self.joined([Self.encoded(.object(kept)), Self.encoded(payload), signature])
  }

  private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: [UInt8(ascii: ".")])) }

  private static func encoded(_ value: JSON) -> [UInt8] { Array(Base64.encode(url: JSONWriter.bytes(value)).utf8) }

  /// Text in the alphabet of base64url that is readable as it is.
  private static func filler(_ number: Int, count: Int) -> [UInt8] {
    count == 0 ? [] : Placeholder.word("redacted-", number, count: max(count, 12))
  }
}
