/// An event of a stream of server-sent events (WHATWG HTML, 9.2).
package struct ServerSentEvent: Sendable, Hashable {
  /// The type; `nil` for `message`.
  package var event: String?
  package var data: String
  /// Becomes the `Last-Event-ID` of the next connection.
  package var id: String?
  /// The time before the client connects again, in milliseconds.
  package var retry: Int?

  /// The numbers of events: those that JavaScript can represent, so that counting on never overflows.
  package static let numbers = 0...(1 << 53 - 1)

  package init(event: String? = nil, data: String, id: String? = nil, retry: Int? = nil) {
    (self.event, self.data, self.id, self.retry) = (event, data, id, retry)
  }

  /// The bytes of the stream. Line ends in data are line feeds; `event` and `id` are cut there, before a new field.
  package var bytes: [UInt8] {
    var lines: [String] = []
    if let retry { lines.append("retry: \(retry)") }
    if let event { lines.append("event: \(Self.line(event))") }
    if let id { lines.append("id: \(Self.line(id))") }
    for line in Self.lines(data) { lines.append("data: \(line)") }
    return Array((lines.joined(separator: "\n") + "\n\n").utf8)
  }

  /// A comment, which keeps a silent connection open.
  package static func comment(_ text: String = "") -> [UInt8] {
    Array((lines(text).map { $0.isEmpty ? ":" : ": \($0)" }.joined(separator: "\n") + "\n\n").utf8)
  }

  /// Sets the time of reconnection without an event.
  package static func retry(_ milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

  private static func line(_ text: String) -> String {
    String(Substring(text.utf8.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }))
  }

  /// Lines end with CR LF, LF or CR.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0A || byte == 0x0D {
        if !(byte == 0x0A && last == 0x0D) {
          lines.append(String(decoding: line, as: UTF8.self))
          line = []
        }
      } else {
        line.append(byte)
      }
      last = byte
    }
    lines.append(String(decoding: line, as: UTF8.self))
    return lines
  }
}
