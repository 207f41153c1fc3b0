/// Texts that differ in every run: ids, times, hashes.
enum VolatileText {
  /// Whether a value of a request cannot decide which answer it gets.
  static func isValue(_ text: String) -> Bool { isUUID(text) || isTime(text) || isHash(text) }

  /// Whether the name of a member is data, so that its object is a map.
  static func isKey(_ name: String) -> Bool {
    isUUID(name) || isHash(name) || !name.isEmpty && name.utf8.allSatisfy { 48...57 ~= $0 }
  }

  /// 8-4-4-4-12 hexadecimal digits (RFC 9562, 4).
  static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
      }
  }

  /// A date with a time (RFC 3339), or seconds or milliseconds since 1970 of this century, perhaps with a fraction.
  static func isTime(_ text: String) -> Bool { isEpoch(text) || Timestamp.microseconds(text.utf8) != nil }

  static func isEpoch(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    return (parts[0].count == 10 || parts[0].count == 13) && parts[0].first == UInt8(ascii: "1")
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { 48...57 ~= $0 } }
  }

  /// At least 16 hexadecimal digits, some of them digits: a hash, a trace id, an object id.
  static func isHash(_ text: String) -> Bool {
    text.utf8.count >= 16 && text.utf8.allSatisfy(isHexadecimal) && text.utf8.contains { 48...57 ~= $0 }
      && !text.utf8.allSatisfy { 48...57 ~= $0 }
  }

  /// A file of a fixture with a mark in place of every id, time, hash and placeholder of a secret, of dates near the
  /// recording, of every distance of a template from the clock, of ports of this machine, of boundaries of multipart
  /// bodies, and of validators of caches: equal for recordings of the same answers. `time`, if known, is in
  /// microseconds since 1970.
  static func masked(_ bytes: [UInt8], near time: Int?) -> [UInt8] {
    guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
    let plain = text.replacing(/\{\{now [^}]*\}\}/, with: "{{now}}")
      .replacing(/\b\d{4}-\d{2}-\d{2}\b(?![T ]\d)/) { match in
        let moment = Timestamp.microseconds(Array("\(match.output)T00:00:00Z".utf8))
        guard let moment, let time, abs(moment - time) <= ClockTags.window else { return String(match.output) }
        return "*"
      }
      .replacing(/[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/, with: "*")
      .replacing(/(localhost|127\.0\.0\.1|\[::1\]):\d+|127-0-0-1-\d+|boundary=[^\s;"\\]+/, with: "*")
      .replacing(/\n  (etag|age): [^\n]*/.ignoresCase(), with: "\n*")
    return maskedValues(Array(plain.utf8), masksPlaceholders: true)
  }

  /// A template without the distances of its times from the clock.
  static func withoutOffsets(_ template: [UInt8]) -> [UInt8] {
    guard let text = String(validating: template, as: UTF8.self) else { return template }
    return Array(text.replacing(/\{\{now [^}]*\}\}/, with: "{{now}}").utf8)
  }

  /// A text with a mark in place of every id, time and hash, and a line feed at its end; `masksPlaceholders` marks the
  /// placeholders of secrets too, whose numbers follow the order of requests.
  static func maskedValues(_ text: [UInt8], masksPlaceholders: Bool = false) -> [UInt8] {
    var masked: [UInt8] = []
    masked.reserveCapacity(text.count + 1)
    var start = 0
    for end in 0...text.count where end == text.count || !isOfValue(text[end]) {
      if isBetweenDateAndTime(end, in: text, from: start) { continue }
      let run = text[start..<end]
      let isMasked =
        run.count >= shortest && isValue(String(decoding: run, as: UTF8.self))
        || masksPlaceholders && Placeholder.isNumbered(run)
      masked += isMasked ? [UInt8(ascii: "*")] : run
      masked.append(end < text.count ? text[end] : 0x0A)
      start = end + 1
    }
    return masked
  }

  /// Whether a position is the space of `2026-11-21 09:41:00`.
  private static func isBetweenDateAndTime(_ position: Int, in text: [UInt8], from start: Int) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: " "), position - start == 10 else { return false }
    return Timestamp.microseconds(text[start...].prefix(16)) != nil
  }

  /// The bytes of the shortest value: seconds since 1970.
  private static let shortest = 10

  /// A description with its volatile values without quotes: some of them would be numbers, and have some.
  static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
    guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
    return Array(
      text.replacing(/"([A-Za-z0-9._~:+-]+)"/) { match in
        String(isValue(String(match.output.1)) ? match.output.1 : match.output.0)
      }.utf8)
  }

  /// Whether a byte may be part of an id or a time.
  static func isOfValue(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "+")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
    default: false
    }
  }
}
