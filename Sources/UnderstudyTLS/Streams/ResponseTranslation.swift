#if TLS
import NIOCore
import NIOHPACK
import UnderstudyServer

/// Makes frames of the parts of a response, and of the bytes of HTTP/1 that a fault has damaged.
struct ResponseTranslation {
  enum Frame {
    case head(HPACKHeaders, isLast: Bool)
    case body(ByteBuffer, isLast: Bool)
  }

  private enum State {
    case head
    /// The rest of a body with a length.
    case counted(Int)
    /// Within a chunk, with what is left of it; or before the line with the length of the next one.
    case chunked(Int?)
    /// A body that ends with the connection.
    case open
    case complete
  }

  /// Whether the request was HEAD, whose response has no body.
  var isHead = false
  private var state = State.head
  /// The bytes of a head or a line whose end has not arrived.
  private var rest: [UInt8] = []

  /// Whether the client has got all of it.
  var isComplete: Bool { if case .complete = state { true } else { false } }

  mutating func receive(_ part: StreamPart) throws(StreamProblem) -> [Frame] {
    switch part {
    case .head(let status, let fields, let isLast):
      var headers = try Self.fields(of: status, count: fields.count)
      for field in fields { headers.add(name: field.name, value: field.value) }
      if isLast || isHead, status >= 200 { state = .complete }
      return [.head(headers, isLast: isComplete)]
    case .body(let bytes, let isLast):
      guard !isComplete else { return [] }
      if isLast { state = .complete }
      return [.body(bytes, isLast: isLast)]
    case .bytes(let bytes): return try receive(bytes)
    }
  }

  private static func fields(of status: Int, count: Int) throws(StreamProblem) -> HPACKHeaders {
    guard 100...999 ~= status, status != 101 else { throw StreamProblem() }
    var fields = HPACKHeaders()
    fields.reserveCapacity(count + 1)
    fields.add(name: ":status", value: String(status))
    return fields
  }

  /// What follows the end of a response is left out: a stream has one.
  private mutating func receive(_ bytes: ByteBuffer) throws(StreamProblem) -> [Frame] {
    var bytes = bytes
    var frames: [Frame] = []
    while bytes.readableBytes > 0 {
      switch state {
      case .head:
        guard let head = takeHead(&bytes) else { return frames }
        frames.append(try receive(head: head))
      case .counted(let length):
        guard let part = bytes.readSlice(length: min(length, bytes.readableBytes)) else { return frames }
        let left = length - part.readableBytes
        state = left == 0 ? .complete : .counted(left)
        frames.append(.body(part, isLast: left == 0))
      case .chunked(let length?):
        guard let part = bytes.readSlice(length: min(length, bytes.readableBytes)) else { return frames }
        let left = length - part.readableBytes
        // The line end of the chunk is read as an empty line.
        state = .chunked(left == 0 ? nil : left)
        frames.append(.body(part, isLast: false))
      case .chunked(nil):
        guard let line = takeLine(&bytes) else { return frames }
        guard !line.isEmpty else { continue }
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard let length = Int(String(decoding: digits, as: UTF8.self), radix: 16), length >= 0 else {
          throw StreamProblem()
        }
        state = length == 0 ? .complete : .chunked(length)
        if length == 0 { frames.append(.body(ByteBuffer(), isLast: true)) }
      case .open:
        frames.append(.body(bytes, isLast: false))
        return frames
      case .complete: return frames
      }
    }
    return frames
  }

  /// The last frame of a body that ends with the connection; `nil` where the response is cut off.
  mutating func end() -> Frame? {
    guard case .open = state else { return nil }
    state = .complete
    return .body(ByteBuffer(), isLast: true)
  }

  // MARK: - The head

  /// The lines of a head, without the empty one.
  private mutating func takeHead(_ bytes: inout ByteBuffer) -> [UInt8]? {
    while let byte: UInt8 = bytes.readInteger() {
      rest.append(byte)
      if byte == 10, rest.suffix(4) == [13, 10, 13, 10] {
        defer { rest = [] }
        return Array(rest.dropLast(4))
      }
    }
    return nil
  }

  private mutating func takeLine(_ bytes: inout ByteBuffer) -> [UInt8]? {
    while let byte: UInt8 = bytes.readInteger() {
      if byte == 10 {
        defer { rest = [] }
        if rest.last == 13 { rest.removeLast() }
        return rest
      }
      rest.append(byte)
    }
    return nil
  }

  private mutating func receive(head: [UInt8]) throws(StreamProblem) -> Frame {
    let lines = head.split(separator: 10).map { $0.last == 13 ? $0.dropLast() : $0 }
    let words = (lines.first ?? []).split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8),
      let status = Int(String(decoding: words[1], as: UTF8.self))
    else { throw StreamProblem() }
    var fields = try Self.fields(of: status, count: lines.count)
    var length: Int?
    var isChunked = false
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw StreamProblem() }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self).drop { $0 == " " }
      switch name {
      case "connection", "keep-alive", "proxy-connection", "upgrade": continue
      case "transfer-encoding":
        isChunked = true
        continue
      case "content-length":
        guard let number = Int(value), length == nil || length == number else { throw StreamProblem() }
        length = number
      default: break
      }
      fields.add(name: name, value: String(value))
    }
    if 100...199 ~= status { return .head(fields, isLast: false) }
    if isHead || status == 204 || status == 304 || (length == 0 && !isChunked) {
      state = .complete
    } else if isChunked {
      state = .chunked(nil)
    } else if let length {
      state = .counted(length)
    } else {
      state = .open
    }
    return .head(fields, isLast: isComplete)
  }
}
#endif
