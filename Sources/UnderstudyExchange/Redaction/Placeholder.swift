/// The replacement of a secret, of its shape and length, numbered by appearance, so nothing can be computed from it.
package enum Placeholder {
  /// What replaces a secret where shapes do not matter: in logs and command lines.
  package static let marker = "[redacted]"

  static func make(for secret: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
    if let token = JSONWebToken(secret) { return token.placeholder(number) }
    if Entropy.isUUID(secret) { return uuid(secret, number) }
    if secret.allSatisfy({ 48...57 ~= $0 }) { return zeros(number, count: secret.count) }
    if secret.count >= 8, Entropy.isHex(secret) { return zeros(number, count: secret.count) }
    if let key = PrivateKeyBlock(secret) { return key.placeholder(number) }
    let bytes = Array(secret)
    if let key = bytes.first.flatMap({ _ in KeyPrefix.key(in: bytes, at: 0) }), key.end == bytes.count {
      return Array(bytes[..<key.prefixEnd]) + zeros(number, count: bytes.count - key.prefixEnd)
    }
    if let plain = base64(bytes) {
      return Array(Base64.encode(word("redacted-", number, count: plain.count)).utf8)
    }
    return word(number, like: secret)
  }

  /// A number of as many digits, which JSON allows.
  static func number(for spelling: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
    let count = max(1, spelling.count { 48...57 ~= $0 })
    var digits = zeros(number, count: min(count, 15))
    if digits[0] == UInt8(ascii: "0"), digits.count > 1 { digits[0] = UInt8(ascii: "1") }
    return digits
  }

  /// Whether a text stands for a secret that this or another tool removed.
  package static func isMarker(_ text: String) -> Bool {
    let bytes = ArraySlice(text.utf8)
    if bytes.count >= 3, bytes.allSatisfy({ $0 == UInt8(ascii: "*") }) { return true }
    return ["[filtered]", "[masked]"].contains(FieldSyntax.lowercased(bytes)) || hasWord(bytes)
  }

  /// The same for typed placeholders, which look like values.
  static func isPlaceholder(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.isEmpty { return false }
    if isMarker(String(decoding: bytes, as: UTF8.self)) { return true }
    if isShort(bytes) || isZeros(bytes) { return true }
    if let range = bytes.firstIndex(of: UInt8(ascii: ".")), bytes.starts(with: "eyJ".utf8) {
      let payload = bytes[(range + 1)...].prefix { $0 != UInt8(ascii: ".") }
      return Base64.decode(url: payload).map { hasWord($0[...]) } ?? false
    }
    return base64(Array(bytes)).map { hasWord($0[...]) || isShort($0[...]) } ?? false
  }

  /// Whether a text is a numbered placeholder: `redacted-0001`, `sk_live_00000001`.
  package static func isNumbered(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 9 else { return false }
    if bytes.starts(with: "eyJ".utf8) { return isPlaceholder(bytes) }
    if hasWord(bytes) { return bytes.last.map { 48...57 ~= $0 } ?? false }
    // No number but a fraction has digits that start with so many zeros.
    let start = bytes.lastIndex { !(48...57 ~= $0) }
    let digits = start.map { bytes[($0 + 1)...] } ?? bytes
    return digits.count >= 7 && digits.prefix(6).allSatisfy { $0 == UInt8(ascii: "0") }
      && start.map { bytes[$0] != UInt8(ascii: ".") } ?? true
  }

  /// `redact1`, where the whole word has no room.
  private static func isShort(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= 12, let digit = bytes.firstIndex(where: { 48...57 ~= $0 }), digit > bytes.startIndex else {
      return false
    }
    return FieldSyntax.equalIgnoringCase(bytes[..<digit], "redacted".utf8.prefix(digit - bytes.startIndex))
      && bytes[digit...].allSatisfy { 48...57 ~= $0 }
  }

  /// Digits that are mostly zeros, perhaps behind the prefix of a key.
  private static func isZeros(_ bytes: ArraySlice<UInt8>) -> Bool {
    let alphanumerics = bytes.count(where: Entropy.isAlphanumeric)
    let zeros = bytes.count { $0 == UInt8(ascii: "0") }
    return zeros * 2 > alphanumerics && (bytes.count >= 8 || zeros >= 2)
  }

  private static func hasWord(_ bytes: ArraySlice<UInt8>) -> Bool {
    let word = "redacted".utf8
    guard bytes.count >= word.count else { return false }
    return bytes.indices.dropLast(word.count - 1).contains { start in
      bytes[start] | 0x20 == UInt8(ascii: "r") && FieldSyntax.equalIgnoringCase(bytes[start..<start + word.count], word)
    }
  }

  /// Text in base64 with padding or of both cases; anything else may be a word.
  private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 12, bytes.count.isMultiple(of: 4) else { return nil }
    let counts = Entropy.Counts(bytes[...])
    guard bytes.last == UInt8(ascii: "=") || counts.upper > 0 && counts.lower > 0 else { return nil }
    return Base64.decode(bytes)
  }

  /// A UUID with the version and the variant of the secret.
  private static func uuid(_ secret: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
    let digits = zeros(number, count: 12)
    var text = Array("00000000-0000-0000-0000-".utf8) + digits
    text[14] = secret[secret.startIndex + 14]
    text[19] = secret[secret.startIndex + 19]
    return text
  }

  /// Zeros that end in the number. Two numbers never look alike: where the digits do not fit, they are longer.
  static func zeros(_ number: Int, count: Int) -> [UInt8] {
    let digits = Array(String(number).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, count - digits.count)) + digits
  }

  /// A word that ends in the number, of `count` bytes: `redacted-0001`.
  static func word(_ word: String, _ number: Int, count: Int) -> [UInt8] {
    let digits = String(number).utf8.count
    guard count >= word.utf8.count + digits else {
      return Array((word.prefix(max(0, count - digits)) + String(number)).utf8)
    }
    return Array(word.utf8) + zeros(number, count: count - word.utf8.count)
  }

  /// A word in the alphabet of a secret, as long as the secret, so that lengths and most patterns still hold.
  private static func word(_ number: Int, like secret: ArraySlice<UInt8>) -> [UInt8] {
    let counts = Entropy.Counts(secret)
    let name = counts.lower == 0 && counts.upper > 0 ? "REDACTED" : counts.upper == 0 ? "redacted" : "Redacted"
    let mark = secret.first { !Entropy.isAlphanumeric($0) && $0 > 0x20 && $0 < 0x7F }
    let separator = counts.others == 0 ? "" : mark == UInt8(ascii: "_") ? "_" : "-"
    let length = secret.count { $0 & 0xC0 != 0x80 }
    return word(name + separator, number, count: max(length, String(number).utf8.count))
  }
}

/// A private key in PEM (RFC 7468), whose line breaks may be escaped.
struct PrivateKeyBlock {
  private let bytes: ArraySlice<UInt8>
  private let content: Range<Int>

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// The block at the start of a text; `nil` unless its label is that of a private key.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.starts(with: Self.begin) else { return nil }
    let label = text.dropFirst(Self.begin.count)
    guard let labelEnd = label.prefix(64).firstRange(of: Self.dashes),
      label[..<labelEnd.lowerBound].firstRange(of: "PRIVATE KEY".utf8) != nil
    else { return nil }
    let rest = text[labelEnd.upperBound...]
    let tail = rest.firstRange(of: Self.end)
    let close = tail.flatMap { tail in text[tail.upperBound...].prefix(64).firstRange(of: Self.dashes)?.upperBound }
    content = labelEnd.upperBound..<(tail?.lowerBound ?? text.endIndex)
    // A block that is cut off ends with the text.
    bytes = text[..<(close ?? text.endIndex)]
  }

  var end: Int { bytes.endIndex }

  func placeholder(_ number: Int) -> [UInt8] {
    let isEscaped = bytes[content].firstRange(of: "\\n".utf8) != nil
    let line = isEscaped ? Array("\\n".utf8) : bytes[content].contains(0x0A) ? [0x0A] : []
    // Valid base64 that can be read.
    let key = Placeholder.word("redacted", number, count: 16)
    return Array(bytes[..<content.lowerBound]) + line + key + line + Array(bytes[content.upperBound...])
  }
}
