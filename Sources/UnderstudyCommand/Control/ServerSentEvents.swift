/// Splits a stream of server-sent events (HTML, 9.2.6) into the data of its events.
struct ServerSentEvents {
  private var rest: [UInt8] = []

  /// The data of the events that a piece completes.
  mutating func read(_ piece: [UInt8]) -> [String] {
    rest += piece
    var events: [String] = []
    let end = Array("\n\n".utf8)
    while let range = rest.firstRange(of: end) {
      let lines = rest[..<range.lowerBound].split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      }
      let data = lines.filter { $0.hasPrefix("data:") }.map { String($0.dropFirst(5).drop { $0 == " " }) }
      if !data.isEmpty { events.append(data.joined(separator: "\n")) }
      rest.removeSubrange(..<range.upperBound)
    }
    return events
  }
}
