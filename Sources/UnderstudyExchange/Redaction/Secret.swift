/// A known value that must not be shown, such as a token of a live run.
package struct Secret: Sendable, Hashable {
  package var value: String
  /// The shell variable that replaces it: `API_TOKEN`.
  package var variable: String

  package init(_ value: String, variable: String) { (self.value, self.variable) = (value, variable) }

  /// Plain, percent-encoded, and in base64.
  package var spellings: [String] { [value, PercentEncoding.encode(value), Base64.encode(Array(value.utf8))] }

  /// The name of a shell variable: `api-key` becomes `API_KEY`.
  package static func variable(named name: String) -> String {
    let bytes = name.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
