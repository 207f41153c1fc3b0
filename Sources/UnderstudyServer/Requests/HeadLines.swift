/// The lines of a response head, for a fault to change.
struct HeadLines {
  private var start: [UInt8]
  private var fields: [[UInt8]]

  init(_ head: [UInt8]) {
    var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
      .map { line in Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    start = lines.first ?? []
    fields = Array(lines.dropFirst())
  }

  var bytes: [UInt8] { ([start] + fields + [[]]).flatMap { $0 + "\r\n".utf8 } }

  /// - Parameter name: In lower case.
  mutating func remove(_ name: String) { fields.removeAll { Self.name(of: $0) == name } }

  mutating func append(_ line: String) { fields.append(Array(line.utf8)) }

  mutating func setLength(_ length: Int) {
    remove("content-length")
    append("Content-Length: \(length)")
  }

  mutating func duplicate() { fields = fields.flatMap { [$0, $0] } }

  /// Adds another length and another media type.
  mutating func contradict(length: Int) {
    let type = fields.first { Self.name(of: $0) == "content-type" }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    append("Content-Length: \(length + 1)")
    append("Content-Type: \(type.contains("html") ? "application/json" : "text/html")")
  }

  private static func name(of line: [UInt8]) -> String {
    String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
  }
}
