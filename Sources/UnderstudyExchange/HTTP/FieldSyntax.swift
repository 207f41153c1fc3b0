/// The shared grammar of header fields: tokens, quoted strings, lists (RFC 9110, section 5.6).
package enum FieldSyntax {
  /// Splits at a separator outside quoted strings; white space around the parts is dropped.
  package static func split(_ bytes: some Collection<UInt8>, at separator: UInt8) -> [[UInt8]] {
    let bytes = Array(bytes)
    var parts: [[UInt8]] = []
    var start = 0
    var isQuoted = false
    var isEscaped = false
    for (position, byte) in bytes.enumerated() {
      if byte == separator, !isQuoted {
        parts.append(Array(trimmed(bytes[start..<position])))
        start = position + 1
      } else if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
    }
    parts.append(Array(trimmed(bytes[start...])))
    return parts
  }

  /// Splits `name = value` at the first `=`; the value is unquoted, `nil` without `=`, and the name is in lower case.
  static func parameter(_ bytes: [UInt8]) -> (name: String, value: String?) {
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (lowercased(bytes), nil) }
    let value = unquoted(trimmed(Array(bytes[(equals + 1)...])))
    return (lowercased(trimmed(Array(bytes[..<equals]))), String(decoding: value, as: UTF8.self))
  }

  /// The content of a quoted string; anything else as it is.
  static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return bytes }
    var result: [UInt8] = []
    var isEscaped = false
    for byte in bytes.dropFirst().dropLast() {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
      } else {
        result.append(byte)
        isEscaped = false
      }
    }
    return result
  }

  /// Without spaces and tabs at both ends.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(trimmed(bytes[...])) }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[first...last]
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  static func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenByte) }

  /// ASCII letters in lower case; all other bytes stay.
  package static func lowercased(_ bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { buffer in
      for (position, byte) in bytes.enumerated() { buffer[position] = lowercased(byte) }
      return bytes.count
    }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte }

  package static func equalIgnoringCase(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    // Contiguous bytes, which almost all are, are compared several times as fast.
    let isSame = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in a.indices.allSatisfy { lowercased(a[$0]) == lowercased(b[$0]) } }
    }
    return (isSame ?? nil) ?? a.elementsEqual(b) { lowercased($0) == lowercased($1) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57, UInt8(ascii: "-"): true
    default: "!#$%&'*+.^_`|~".utf8.contains(byte)
    }
  }
}

extension HTTPField {
  /// Whether a name in any case is that of the field; one in lower case is compared fastest.
  fileprivate func isNamed(_ text: String) -> Bool {
    let name = name.canonicalName
    guard name.utf8.count == text.utf8.count else { return false }
    return name == text || FieldSyntax.equalIgnoringCase(name.utf8, text.utf8)
  }
}

extension HTTPFields {
  /// The values of every field line of a name, in order; names are compared without case (RFC 9110, section 5.1).
  package func lines(named name: String) -> [String] { compactMap { $0.isNamed(name) ? $0.value : nil } }

  /// The value of all field lines of a name together (RFC 9110, section 5.3); `nil` without any.
  package func joined(named name: String) -> String? {
    var joined: String?
    for field in self where field.isNamed(name) {
      joined = joined.map { "\($0), \(field.value)" } ?? field.value
    }
    return joined
  }

  /// The media type of a body. A message has one such line (RFC 9110, sections 5.3 and 8.3); several are invalid together.
  package var contentType: String? { joined(named: "content-type") }

  package func first(named name: String) -> String? { first { $0.isNamed(name) }?.value }
}
