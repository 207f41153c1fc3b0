/// A JSON pointer (RFC 6901): the path from a document's root to one value.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The reference tokens, unescaped.
  package var tokens: [String]

  package init(_ tokens: [String] = []) { self.tokens = tokens }

  /// Reads `""` or `/a/b~1c`; `nil` if the text does not start with a slash or has an invalid `~` (section 3).
  package init?(_ text: String) {
    guard !text.isEmpty else {
      tokens = []
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    tokens = []
    for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let token = Self.unescape(part) else { return nil }
      tokens.append(token)
    }
  }

  /// Reads the fragment of a URI reference, without its `#`: percent-decoded first (section 6).
  package init?(fragment: String) {
    guard let decoded = PercentEncoding.decode(fragment) else { return nil }
    self.init(decoded)
  }

  /// `""` or `/a/b~1c`.
  package var description: String { tokens.map { "/" + Self.escape($0) }.joined() }

  /// The pointer as the fragment of a URI, without its `#` (section 6).
  package var fragment: String { Self.fragment(of: description) }

  /// The text of a pointer, or of its last part, as the text of a fragment.
  package static func fragment(of text: String) -> String { PercentEncoding.encode(text, keeping: "/!$&'()*+,;=:@?") }

  package static func + (pointer: JSONPointer, token: String) -> JSONPointer { JSONPointer(pointer.tokens + [token]) }

  package static func escape(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
    var bytes: [UInt8] = []
    for byte in token.utf8 {
      switch byte {
      case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
      case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescape(_ token: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var tilde = false
    for byte in token {
      switch (tilde, byte) {
      case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
      case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
      case (true, _): return nil
      case (false, UInt8(ascii: "~")):
        tilde = true
        continue
      case (false, _): bytes.append(byte)
      }
      tilde = false
    }
    return tilde ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension JSON {
  /// The value at a pointer below this one.
  package subscript(pointer: JSONPointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      switch value.kind {
      case .object:
        guard let next = value[token] else { return nil }
        value = next
      case .array:
        // An index has no leading zero and no sign (section 4).
        guard token == "0" || (token.utf8.first != UInt8(ascii: "0") && token.utf8.allSatisfy { 48...57 ~= $0 }),
          let position = Int(token), let next = value[position]
        else { return nil }
        value = next
      default: return nil
      }
    }
    return value
  }
}
