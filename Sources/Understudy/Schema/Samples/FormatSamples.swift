/// Values for the formats that JSON Schema and OpenAPI name, and for those that descriptions use beside them.
enum FormatSamples {
  /// A text of the format; `face` chooses among many. `nil` for formats that say nothing about text.
  static func text(_ format: String, _ face: Int) -> String? {
    switch format {
    case "date-time", "datetime", "dateTime": "\(date(face))T\(time(face))Z"
    case "date", "full-date": date(face)
    case "time": time(face) + "Z"
    case "duration": ["PT15M", "P1D", "PT1H30M", "P2W"][face % 4]
    case "uuid", "guid", "UUID": uuid(face)
    case "email", "idn-email": NameHints.text(for: "email", face)
    case "hostname", "idn-hostname", "host": ["api.example.com", "www.example.org", "mail.example.net"][face % 3]
    case "uri", "url", "URI", "iri": "https://example.com/" + NameHints.word(face)
    case "uri-reference", "iri-reference": "/" + NameHints.word(face)
    case "uri-template": "/users/{id}"
    case "ipv4", "ip": "192.0.2.\(1 + face % 254)"
    case "ipv6": "2001:db8::\(String(1 + face % 0xFFFF, radix: 16))"
    case "ipv4-cidr", "cidr": "192.0.2.0/24"
    case "mac": "00:00:5e:00:53:\(hex(face % 256, width: 2))"
    case "byte", "base64": base64(NameHints.word(face))
    case "base64url": String(base64(NameHints.word(face)).prefix { $0 != "=" })
    case "binary": NameHints.word(face)
    case "password": ["correct-horse-7", "Battery-Staple-4", "Purple-Monkey-9"][face % 3]
    case "json-pointer": "/" + NameHints.word(face) + "/0"
    case "relative-json-pointer": "\(face % 3)/" + NameHints.word(face)
    case "regex": "^[a-z]+$"
    case "int32", "int64", "integer", "decimal", "number", "double", "float", "bigint": String(1 + face % 1_000)
    case "unix-time", "timestamp": String(1_700_000_000 + face)
    case "color": ["#3366ff", "#e4572e", "#17bebb"][face % 3]
    case "currency": NameHints.text(for: "currency", face)
    case "country-code": NameHints.text(for: "countryCode", face)
    case "phone": NameHints.text(for: "phone", face)
    default: nil
    }
  }

  static func date(_ face: Int) -> String {
    "\(2024 + face / 336 % 2)-\(decimal(1 + (4 + face / 28) % 12))-\(decimal(1 + (16 + face) % 28))"
  }

  private static func time(_ face: Int) -> String {
    "\(decimal((9 + face) % 24)):\(decimal((30 + face * 7) % 60)):\(decimal(face * 13 % 60))"
  }

  private static func decimal(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  private static func hex(_ number: Int, width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Version 4 (RFC 9562, 5.4).
  private static func uuid(_ face: Int) -> String {
    let hash = Dice.hash(face, onto: 0x1DEA)
    let first = hex(Int(truncatingIfNeeded: hash >> 32), width: 8)
    return "\(first)-\(hex(Int(hash >> 16 & 0xFFFF), width: 4))-4\(hex(Int(hash & 0xFFF), width: 3))-"
      + "9c1b-2f8d\(hex(face & 0xFFFF_FFFF, width: 8))"
  }

  static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var out: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let group = Array(rest.prefix(3))
      rest = rest.dropFirst(3)
      let bits = (0..<3).reduce(0) { $0 << 8 | (($1 < group.count) ? Int(group[$1]) : 0) }
      for position in 0..<4 {
        out.append(position <= group.count ? alphabet[bits >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
