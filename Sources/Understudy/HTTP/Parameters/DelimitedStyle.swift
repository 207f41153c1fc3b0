/// `a%20b`, `a%7Cb`, `a%09b`: the delimiter itself is percent-encoded, so data cannot hold it (OAS 3.1, appendix E).
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
    _ raw: [UInt8], at delimiter: UInt8, as form: SchemaShape.Form, _ declaration: WireDeclaration
  ) throws(DecodingProblem) -> RawValue {
    if form == .primitive { return .text(raw) }
    let parts = split(raw, at: delimiter, declaration.coding)
    return form == .array ? .list(parts.map { .text($0) }) : try declaration.members(alternating: parts)
  }

  /// Splits at the raw and at the encoded delimiter; in a query `+` is a space too.
  static func split(_ raw: [UInt8], at delimiter: UInt8, _ coding: WireCoding) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var position = 0
    while position < raw.count {
      let byte = raw[position]
      if byte == delimiter || (byte == UInt8(ascii: "+") && delimiter == UInt8(ascii: " ") && coding == .form) {
        parts.append([])
        position += 1
      } else if coding != .verbatim, byte == UInt8(ascii: "%"), position + 2 < raw.count,
        let high = PercentEncoding.hexValue(raw[position + 1]), let low = PercentEncoding.hexValue(raw[position + 2]),
        high << 4 | low == delimiter
      {
        parts.append([])
        position += 3
      } else {
        parts[parts.count - 1].append(byte)
        position += 1
      }
    }
    return parts
  }
}
