/// The character encodings of text bodies; names are those of the IANA registry, in any case.
package enum Charset {
  package enum Outcome: Sendable, Equatable {
    case text(String)
    /// The bytes are not in this encoding.
    case invalid
    case unknown
  }

  package static func decode(_ bytes: [UInt8], as name: String) -> Outcome {
    switch FieldSyntax.lowercased(name.utf8) {
    case "utf-8", "utf8": outcome(String(validating: withoutMark(bytes), as: UTF8.self))
    case "us-ascii", "ascii":
      bytes.contains { $0 > 127 } ? .invalid : .text(String(decoding: bytes, as: UTF8.self))
    case "iso-8859-1", "latin1":
      .text(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
    case "utf-16": utf16(bytes, bigEndian: !bytes.starts(with: [0xFF, 0xFE]))
    case "utf-16be": utf16(bytes, bigEndian: true)
    case "utf-16le": utf16(bytes, bigEndian: false)
    default: .unknown
    }
  }

  /// The bytes of a text in an encoding, or in UTF-8 if the encoding is unknown or lacks a character.
  package static func encode(_ text: String, as name: String) -> [UInt8] {
    switch FieldSyntax.lowercased(name.utf8) {
    case "iso-8859-1", "latin1":
      let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
      return bytes.count == text.unicodeScalars.count ? bytes : Array(text.utf8)
    case "utf-16", "utf-16be": return text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case "utf-16le": return text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    default: return Array(text.utf8)
    }
  }

  private static func outcome(_ text: String?) -> Outcome { text.map { .text($0) } ?? .invalid }

  private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  private static func utf16(_ bytes: [UInt8], bigEndian: Bool) -> Outcome {
    guard bytes.count.isMultiple(of: 2) else { return .invalid }
    var units = stride(from: 0, to: bytes.count, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    if units.first == 0xFEFF { units.removeFirst() }
    return outcome(String(validating: units, as: UTF16.self))
  }
}
