extension EventStream {
  /// Writes events, each an object of its fields, or its `data` alone; data that is no text is written as JSON.
  static func write(_ events: [JSON]) -> [UInt8] {
    var bytes: [UInt8] = []
    for event in events {
      if event.isObject {
        for name in ["event", "id", "retry"] {
          guard let value = event[name], !value.isNull else { continue }
          // A line end would begin another field.
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
    // `lines` knows no line behind the last end, but `data` keeps it.
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
}
