/// `a%20b`, `a%7Cb`, `a%09b`: the delimiter is percent-encoded, so values cannot contain it (OAS 3.1, appendix E).
enum DelimitedStyle {
  static func delimiter(of style: Parameter.Style) -> UInt8? {
    switch style {
    case .spaceDelimited: UInt8(ascii: " ")
    case .pipeDelimited: UInt8(ascii: "|")
    case .tabDelimited: UInt8(ascii: "\t")
    default: nil
    }
  }

  static func split(
    _ raw: ArraySlice<UInt8>, at delimiter: UInt8, as form: WireForm, _ declaration: WireDeclaration
  ) throws(DecodingProblem) -> SerializedValue {
    if form == .primitive { return .text(raw) }
    let parts = split(raw, at: delimiter, declaration.coding)
    return form == .array ? .list(parts.map { .text($0) }) : try declaration.members(alternating: parts)
  }

  /// Splits at the raw and at the encoded delimiter; in a query `+` is a space too.
  static func split(_ raw: ArraySlice<UInt8>, at delimiter: UInt8, _ coding: WireCoding) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = raw.startIndex
    var position = start
    while position < raw.endIndex {
      let length = length(of: delimiter, at: position, in: raw, coding)
      if length > 0 { parts.append(raw[start..<position]) }
      position += max(length, 1)
      if length > 0 { start = position }
    }
    return parts + [raw[start...]]
  }

  /// The bytes of the delimiter at a position; 0 if it does not occur there.
  private static func length(
    of delimiter: UInt8, at position: Int, in raw: ArraySlice<UInt8>, _ coding: WireCoding
  ) -> Int {
    let byte = raw[position]
    if byte == delimiter || (byte == UInt8(ascii: "+") && delimiter == UInt8(ascii: " ") && coding == .form) {
      return 1
    }
    guard coding != .verbatim, byte == UInt8(ascii: "%"), position + 2 < raw.endIndex,
      let high = PercentEncoding.hexValue(raw[position + 1]), let low = PercentEncoding.hexValue(raw[position + 2])
    else { return 0 }
    return high << 4 | low == delimiter ? 3 : 0
  }
}
