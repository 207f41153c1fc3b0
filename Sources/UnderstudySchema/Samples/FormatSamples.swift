/// Values for the formats of JSON Schema and OpenAPI, and for other common ones.
package enum FormatSamples {
  /// A text of the format, chosen by `face`; `nil` for an unknown format.
  package static func text(_ format: String, _ face: Int) -> String? {
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
    case "byte", "base64": Base64.encode(Array(NameHints.word(face).utf8))
    case "base64url": String(Base64.encode(Array(NameHints.word(face).utf8)).prefix { $0 != "=" })
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
    let hash = SeededGenerator.hash(face, onto: 0x1DEA)
    let first = hex(Int(truncatingIfNeeded: hash >> 32), width: 8)
    return "\(first)-\(hex(Int(hash >> 16 & 0xFFFF), width: 4))-4\(hex(Int(hash & 0xFFF), width: 3))-"
      + "9c1b-2f8d\(hex(face & 0xFFFF_FFFF, width: 8))"
  }

  /// The shortest texts of a format, for narrow lengths.
  static func shortTexts(_ format: String) -> [String] {
    switch format {
    case "email", "idn-email": ["a@b.co"]
    case "hostname", "idn-hostname": ["a.co"]
    case "uri", "iri", "url": ["urn:a:b", "a:b"]
    case "byte", "base64": ["YQ==", ""]
    case "uri-reference", "iri-reference", "json-pointer", "uri-template", "regex": [""]
    default: []
    }
  }

  /// Texts of a format in various forms, for an additional pattern.
  static func varied(_ format: String) -> [String] {
    switch format {
    case "date-time", "datetime", "dateTime":
      return ["2024-05-17", "1999-12-31"].flatMap { date in
        ["Z", "+00:00", "+02:00", "-05:00"].flatMap { zone in
          (0...9).map { digits in "\(date)T09:30:00\(fraction(digits))\(zone)" }
        }
      }
    case "date", "full-date": return [1999, 1970, 2000, 2010, 2023, 2030].map { "\($0)-05-17" }
    case "time":
      return ["Z", "+00:00", "+02:00"].flatMap { zone in (0...9).map { "09:30:00\(fraction($0))\(zone)" } }
    case "ipv4", "ip":
      return ["10.0.0.1", "127.0.0.1", "172.16.0.1", "192.168.0.1", "198.51.100.1", "0.0.0.0", "192.168.100.100"]
    case "ipv6": return ["::1", "fe80::1", "fd00::1", "2001:0db8:0000:0000:0000:0000:0000:0001", "::ffff:192.0.2.1"]
    case "uuid", "guid", "UUID":
      return ["00000000-0000-0000-0000-000000000000", "0190163D-8694-739B-AEA5-966C26F8AD91"]
        + [1, 3, 5, 6, 7].map { "0190163d-8694-\($0)39b-aea5-966c26f8ad91" }
    case "uri", "url", "URI", "iri":
      return ["http://example.com/", "ftp://example.com/file", "urn:example:a", "mailto:ada@example.com"]
    case "hostname", "idn-hostname", "host": return ["example.com", "localhost", "a-1.example.com"]
    case "email", "idn-email": return ["ada.lovelace@example.com", "ada+tag@example.com", "ADA@EXAMPLE.COM"]
    case "duration": return ["PT1S", "P1Y", "P1M", "P1Y2M3DT4H5M6S", "PT24H"]
    default: return []
    }
  }

  private static func fraction(_ digits: Int) -> String {
    digits == 0 ? "" : "." + "123456789".prefix(digits)
  }
}
