/// The frame of a HAR 1.2 file of ours: `head`, entries with `separator` between them, and `tail`.
package enum HARFormat {
  package static let creator = "Understudy"
  package static let separator = Array(",\n".utf8)

  package static func tail(lost: Int = 0) -> [UInt8] {
    let comment =
      lost > 0
      ? ",\n\"comment\": \"\(lost) exchanges are missing: they arrived faster than they could be written\"" : ""
    return Array("\n]\(comment)}}\n".utf8)
  }

  package static func lost(inTail tail: [UInt8]) -> Int {
    guard let start = tail.firstRange(of: Array("\"comment\": \"".utf8))?.upperBound else { return 0 }
    // Anyone can write the file: nine digits do not overflow.
    return Int(String(decoding: tail[start...].prefix(9).prefix { 48...57 ~= $0 }, as: UTF8.self)) ?? 0
  }

  package static func head(version: String) -> [UInt8] {
    let creator = JSONWriter.text(.object([("name", .string(Self.creator)), ("version", .string(version))]))
    return Array("{\"log\": {\"version\": \"1.2\", \"creator\": \(creator), \"entries\": [\n".utf8)
  }
}
