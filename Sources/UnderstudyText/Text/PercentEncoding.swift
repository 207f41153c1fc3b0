/// Percent-encoding of bytes (RFC 3986, section 2.1).
///
/// Functions take one concrete type where a request needs them: others are not specialized for callers in other modules.
package enum PercentEncoding {
  /// Decodes `%XX`; `nil` for a truncated or non-hex sequence, or if the result is not UTF-8.
  package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    if isPlain(bytes, plusIsSpace: plusIsSpace) { return text(bytes) }
    return decodeBytes(bytes, plusIsSpace: plusIsSpace).flatMap { text($0[...]) }
  }

  /// Decodes `%XX`; `nil` for a truncated or non-hex sequence, or if the result is not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? { decode(ArraySlice(text.utf8)) }

  /// Whether no byte needs decoding.
  package static func isPlain(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.allSatisfy { $0 != UInt8(ascii: "%") && ($0 != UInt8(ascii: "+") || !plusIsSpace) }
    }
  }

  /// The text of UTF-8 bytes, as by `String(validating:)`, but several times as fast.
  package static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    UTF8Check.isValid(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Decodes `%XX` to raw bytes; `nil` for a truncated or non-hex sequence.
  package static func decodeBytes(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else {
          return nil
        }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
    }
    return result
  }

  /// Encodes all characters except the unreserved ones (RFC 3986, section 2.3) and those of `keeping`.
  package static func encode(_ text: String, keeping: String = "") -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) || keeping.utf8.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  package static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
    default: nil
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }
}
