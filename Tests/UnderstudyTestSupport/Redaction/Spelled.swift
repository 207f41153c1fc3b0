import Foundation
package import UnderstudyMock

/// An exchange as text, with everything that is written of it.
package struct Spelled: Sendable {
  package let text: String
  /// What is inside gzip.
  private let plain: String

  package init(text: String) {
    self.text = text
    plain = ""
  }

  package init(_ exchange: Exchange) {
    var lines = ["\(exchange.request.method.rawValue) \(exchange.request.path ?? "")"]
    lines += exchange.request.headerFields.map { "\($0.name.rawName): \($0.value)" }
    lines.append(String(decoding: exchange.requestBody.bytes, as: UTF8.self))
    lines += exchange.response?.fields.map { "\($0.name.rawName): \($0.value)" } ?? []
    lines.append(String(decoding: exchange.responseBody, as: UTF8.self))
    text = lines.joined(separator: "\n")
    plain = [
      (exchange.requestFields, exchange.requestBody.bytes),
      (exchange.response?.fields ?? [:], exchange.responseBody),
    ]
    .map { fields, body in
      let decoded = try? ContentCoding.decode(body, fields.lines(named: "content-encoding"))
      if case .decoded(let bytes)? = decoded { return String(decoding: bytes, as: UTF8.self) }
      return ""
    }.joined(separator: "\n")
  }

  /// Whether a secret is there in any encoding.
  package func holds(_ secret: String) -> Bool {
    Self.spellings(of: secret).contains { text.contains($0) || plain.contains($0) }
  }

  /// A secret as it is, percent-encoded once and twice, in base64, in hexadecimal digits, and as JSON and markup write it.
  package static func spellings(of secret: String) -> [String] {
    let spellings = [
      secret, secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret,
      PercentEncoding.encode(secret), String(JSONWriter.text(.string(secret)).dropFirst().dropLast()),
    ]
    // The base64 of a text that has the secret at any position.
    let coded = (0..<3).map { shift -> String in
      let bytes = [UInt8](repeating: 0, count: shift) + Array(secret.utf8)
      let whole = Base64.encode(bytes).filter { $0 != "=" }
      return String(whole.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(bytes.count % 3 == 0 ? 0 : 1))
    }
    let twice = PercentEncoding.encode(PercentEncoding.encode(secret))
    let digits = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let markup = secret.replacing("&", with: "&amp;").replacing("<", with: "&#60;").replacing("'", with: "&#x27;")
    return spellings + [markup, twice, digits, digits.uppercased()] + coded.filter { $0.count >= 6 }
  }
}
