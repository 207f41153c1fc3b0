/// Recognises the formats of JSON Schema that texts of an API often have, strictly: a wrong format is worse than none.
enum TextFormat {
  /// The most specific first.
  static let names = ["date-time", "date", "uuid", "ipv4", "email", "uri"]

  static func has(_ text: String, _ format: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else { return false }
    switch format {
    case "date-time":
      guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), Timestamp.microseconds(bytes) != nil else {
        return false
      }
      return bytes.last == UInt8(ascii: "Z") || bytes[bytes.count - 3] == UInt8(ascii: ":")
    case "date":
      return bytes.count == 10 && Timestamp.microseconds(bytes + Array("T00:00:00Z".utf8)) != nil
    case "uuid": return VolatileText.isUUID(text)
    case "ipv4":
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4
        && parts.allSatisfy { part in
          1...3 ~= part.utf8.count && part.utf8.allSatisfy { 48...57 ~= $0 } && (Int(part) ?? 256) < 256
            && (part == "0" || part.utf8.first != UInt8(ascii: "0"))
        }
    case "email":
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
        && parts.allSatisfy { $0.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "+") } }
        && !text.hasPrefix(".") && !parts[0].hasSuffix(".") && !parts[0].contains("..") && !parts[1].hasPrefix("-")
        && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".") && !parts[1].contains("..")
    case "uri":
      guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return false }
      return bytes.allSatisfy { PercentEncoding.isUnreserved($0) || ":/?&=#+,;@!$'()*".utf8.contains($0) }
    default: return false
    }
  }
}
