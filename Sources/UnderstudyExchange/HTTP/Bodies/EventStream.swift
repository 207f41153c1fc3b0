/// `text/event-stream` as an array of events, each an object of its fields (HTML, 9.2.6; OAS 3.2, 4.14.3.1).
///
/// `data`, `event` and `id` are text, `retry` is a number. Comments, unknown fields and blocks without `data` are dropped, as
/// clients do.
package enum EventStream {
  package static func decode(_ bytes: [UInt8]) -> Decoded {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      return .broken(.syntax, "the event stream is not UTF-8")
    }
    var count = 0
    var events = JSONBuilder()
    events.begin(.array)
    var event = Event()
    for line in lines(Array(text.utf8)) {
      guard line.isEmpty else {
        event.take(line)
        continue
      }
      if !event.data.isEmpty {
        count += 1
        guard count <= SequenceBody.itemLimit else { return SequenceBody.tooLong("the event stream") }
        event.write(to: &events)
      }
      event = Event()
    }
    events.end()
    let readings = Decoded.Outcome.readings([events.finish().root])
    guard !event.data.isEmpty else { return Decoded(readings) }
    let note = "the last event lacks the empty line that ends it, so clients drop it"
    return Decoded(readings, [DecodingProblem(.syntax, "", note, isRecovered: true)])
  }

  /// Lines end with CRLF, LF or CR; text after the last line end is a line too.
  package static func lines(_ bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    // Lazily, since a stream may have millions of lines.
    sequence(state: bytes[...]) { rest in
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...].dropFirst(rest[end...].starts(with: [13, 10]) ? 2 : 1)
      return line
    }
  }

  /// Writes events, each an object of its fields, or its `data` alone; data other than text is written as JSON.
  static func write(_ events: [JSON]) -> [UInt8] {
    var bytes: [UInt8] = []
    for event in events {
      if event.isObject {
        for name in ["event", "id", "retry"] {
          guard let value = event[name], !value.isNull else { continue }
          // A line end would start another field.
          line(name, text(of: value).filter { $0 != 10 && $0 != 13 }, to: &bytes)
        }
        if let data = event["data"] { write(data: data, to: &bytes) }
      } else {
        write(data: event, to: &bytes)
      }
      bytes.append(10)
    }
    return bytes
  }

  private static func write(data: JSON, to bytes: inout [UInt8]) {
    // `lines` omits an empty last line, but `data` keeps it.
    let text = text(of: data)
    let rest: [ArraySlice<UInt8>] = text.isEmpty || text.last == 10 || text.last == 13 ? [[]] : []
    for line in Array(lines(text)) + rest { Self.line("data", Array(line), to: &bytes) }
  }

  private static func line(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
    bytes += Array(name.utf8) + Array(": ".utf8) + value + [10]
  }

  private static func text(of value: JSON) -> [UInt8] {
    value.isString ? Array(value.text.utf8) : JSONWriter.bytes(value)
  }

  private struct Event {
    var data: [[UInt8]] = []
    var name: [UInt8]?
    var id: [UInt8]?
    var retry: [UInt8]?

    mutating func take(_ line: ArraySlice<UInt8>) {
      let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      var value = line[min(colon + 1, line.endIndex)...]
      if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
      switch String(decoding: line[..<colon], as: UTF8.self) {
      case "data": data.append(Array(value))
      case "event": name = Array(value)
      case "id" where !value.contains(0): id = Array(value)
      case "retry" where !value.isEmpty && value.allSatisfy { 48...57 ~= $0 } && value.count < 16:
        retry = Array(value.drop { $0 == 48 })
      default: break
      }
    }

    func write(to builder: inout JSONBuilder) {
      builder.begin(.object)
      builder.append(key: "data")
      builder.append(string: Array(data.joined(separator: [10])))
      for (key, text) in [("event", name), ("id", id)] {
        guard let text else { continue }
        builder.append(key: key)
        builder.append(string: text)
      }
      if let retry {
        builder.append(key: "retry")
        builder.append(number: retry.isEmpty ? [48] : retry)
      }
      builder.end()
    }
  }
}
