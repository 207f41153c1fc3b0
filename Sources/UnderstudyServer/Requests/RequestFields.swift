import HTTPTypes
import NIOHTTP1

struct RequestFields {
  /// Without `Host`, which is the authority of an `HTTPRequest`.
  private(set) var translated = HTTPFields()
  private(set) var host: String?
  /// The value of `Understudy-Lane`, which is for the server and not part of the request.
  private(set) var lane: String?
  private(set) var hostCount = 0
  private(set) var origin: String?
  private(set) var contentLength: Int?
  private(set) var isContentCoded = false
  private(set) var isTransferCoded = false
  private(set) var isChunked = false
  private(set) var hasUnknownCoding = false
  private(set) var wantsClose = false
  private(set) var wantsKeepAlive = false
  private(set) var wantsUpgrade = false
  private(set) var expectsContinue = false
  private(set) var hasUnknownExpectation = false

  /// `HTTPField.Name` has no constant for it.
  private static let hostName = HTTPField.Name("host")
  private static let laneName = HTTPField.Name("understudy-lane")

  /// - Parameters:
  ///   - raw: The bytes of the head, if they are known: the decoder replaces those that are not UTF-8.
  ///   - lanes: Whether requests may name a lane.
  init(_ headers: HTTPHeaders, _ raw: RawHead?, lanes: Bool = false) {
    var upgradeIsNamed = false
    var values: [[UInt8]]?
    for (index, (rawName, rawValue)) in headers.enumerated() {
      guard let name = HTTPField.Name(rawName) else { continue }
      let value = Self.withoutTrailingSpace(rawValue)
      switch name {
      case Self.hostName:
        hostCount += 1
        host = value
        continue
      case Self.laneName where lanes:
        // Two that differ name no lane: the list is not a name.
        lane = lane.map { $0.utf8.elementsEqual(value.utf8) ? value : "\($0), \(value)" } ?? value
        continue
      case .origin:
        origin = value
      case .contentLength:
        // The parser accepts only digits. A length that overflows is too long in any case.
        contentLength = Int(value) ?? .max
      case .contentEncoding:
        isContentCoded = true
      case .transferEncoding:
        isTransferCoded = true
        Self.forEachMember(of: value) { coding in
          if Self.equal(coding, "chunked") { isChunked = true } else { hasUnknownCoding = true }
        }
      case .connection:
        Self.forEachMember(of: value) { option in
          if Self.equal(option, "close") { wantsClose = true }
          if Self.equal(option, "keep-alive") { wantsKeepAlive = true }
          if Self.equal(option, "upgrade") { wantsUpgrade = true }
        }
      case .upgrade:
        upgradeIsNamed = true
      case .expect:
        Self.forEachMember(of: value) { expectation in
          if Self.equal(expectation, "100-continue") { expectsContinue = true } else { hasUnknownExpectation = true }
        }
      default:
        break
      }
      if value.utf8.contains(0xEF), value.unicodeScalars.contains("\u{FFFD}") {
        if values == nil { values = raw?.values ?? [] }
        if let values, values.indices.contains(index) {
          translated.append(HTTPField(name: name, lenientValue: values[index]))
          continue
        }
      }
      translated.append(HTTPField(name: name, value: value))
    }
    wantsUpgrade = wantsUpgrade && upgradeIsNamed
  }

  /// The decoder keeps the white space after a value, which is not a part of it (RFC 9112, 5).
  private static func withoutTrailingSpace(_ value: String) -> String {
    guard let last = value.utf8.last, last == 0x20 || last == 0x09 else { return value }
    var rest = value.utf8[...]
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return String(Substring(rest))
  }

  /// The members of a comma-separated list, without surrounding white space (RFC 9110, 5.6.1).
  private static func forEachMember(of list: String, _ body: (Substring.UTF8View) -> Void) {
    for member in list.utf8.split(separator: UInt8(ascii: ",")) {
      var member = member
      while let first = member.first, first == 0x20 || first == 0x09 { member.removeFirst() }
      while let last = member.last, last == 0x20 || last == 0x09 { member.removeLast() }
      if !member.isEmpty { body(member) }
    }
  }

  /// - Parameter lowercase: ASCII.
  private static func equal(_ text: Substring.UTF8View, _ lowercase: StaticString) -> Bool {
    guard text.count == lowercase.utf8CodeUnitCount else { return false }
    return lowercase.withUTF8Buffer { expected in
      zip(text, expected).allSatisfy { byte, expected in
        (0x41...0x5A).contains(byte) ? byte | 0x20 == expected : byte == expected
      }
    }
  }
}
