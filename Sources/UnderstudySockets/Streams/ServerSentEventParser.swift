/// Reads server-sent events from bytes in any pieces (WHATWG HTML, 9.2.6), as a browser does.
package struct ServerSentEventParser: Sendable {
  package enum Item: Sendable, Hashable {
    case event(ServerSentEvent)
    case comment(String)
    /// The time of reconnection, in milliseconds.
    case retry(Int)
  }

  /// The longest line, in bytes, and the longest data.
  package static let limit = 1 << 20

  private var line: [UInt8] = []
  private var skipsLineFeed = false
  private var isFirstLine = true
  private var event: String?
  private var data: [UInt8] = []
  private var hasData = false
  /// The last identifier, which further events keep.
  package private(set) var lastID: String?
  /// Whether a line was longer than the limit; it was cut there.
  package private(set) var isCut = false

  package init() {}

  /// The items that end within these bytes. An event that is incomplete at the end of a stream is discarded.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [Item] {
    var items: [Item] = []
    for byte in bytes {
      if skipsLineFeed {
        skipsLineFeed = false
        if byte == 0x0A { continue }
      }
      switch byte {
      case 0x0A, 0x0D:
        skipsLineFeed = byte == 0x0D
        if let item = endLine() { items.append(item) }
      default:
        if line.count < Self.limit { line.append(byte) } else { isCut = true }
      }
    }
    return items
  }

  private mutating func endLine() -> Item? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    guard !line.isEmpty else { return dispatch() }
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line.dropFirst(name.count + 1)
    if value.first == 0x20 { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: name, as: UTF8.self) {
    case "": return .comment(text)
    case "event": event = text
    case "data":
      if hasData { data.append(0x0A) }
      hasData = true
      if data.count + value.count <= Self.limit { data += value } else { isCut = true }
    case "id": if !value.contains(0) { lastID = text }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ 0x30...0x39 ~= $0 }), let time = Int(text) { return .retry(time) }
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> Item? {
    defer { (event, data, hasData) = (nil, [], false) }
    guard hasData else { return nil }
    return .event(
      ServerSentEvent(
        event: event?.isEmpty == false ? event : nil, data: String(decoding: data, as: UTF8.self), id: lastID))
  }
}
