/// The character encodings of text bodies; names are those of the IANA registry, in any case.
package enum Charset {
  package enum Outcome: Sendable, Equatable {
    case text(String)
    /// The bytes are not in this encoding.
    case invalid
    /// A charset that nobody here knows.
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
