import UnderstudySchema

/// Cuts a stream of bytes into messages, which do not depend on the pieces in which it arrives.
package struct MessageCutter {
  private enum Syntax {
    /// A message ends with an empty line; lines end with CRLF, LF or CR (HTML, 9.2.5).
    case events
    /// A message ends with LF.
    case lines
    /// A message begins with a record separator (RFC 7464, 2.2).
    case records
  }

  /// The longest message that is held whole, in bytes.
  package static let messageLimit = 16 << 10

  private static let recordSeparator: UInt8 = 0x1E

  private let syntax: Syntax
  private var message: [UInt8] = []
  private var size = 0
  /// Whether the message has anything but white space.
  private var isFilled = false
  private var isLineEmpty = true
  private var endsWithReturn = false

  /// `nil` for a media type without messages.
  package init?(_ type: MediaRange?) {
    switch type?.syntax {
    case .eventStream?: syntax = .events
    case .jsonSequence?: syntax = type.map { $0.subtype.hasSuffix("json-seq") } == true ? .records : .lines
    default: return nil
    }
  }

  /// - Parameter found: Gets the beginning of each message that ends in these bytes, and its whole length.
  package mutating func cut(_ piece: [UInt8], _ found: ([UInt8], _ size: Int) -> Void) {
    for byte in piece {
      if isEnd(byte) { finish(found) } else { append(byte) }
    }
    // Only the next record ends one for certain, which may take long to come.
    if case .records = syntax, message.last == 10, MessageBody(message).root != nil { finish(found) }
  }

  private mutating func append(_ byte: UInt8) {
    if size == 0, byte <= 32 { return }
    size += 1
    if message.count < Self.messageLimit { message.append(byte) }
    isFilled = isFilled || byte > 32
  }

  private mutating func finish(_ found: ([UInt8], _ size: Int) -> Void) {
    if isFilled, hasData {
      let text = Array(message.reversed().drop { $0 <= 32 }.reversed())
      found(text, size == message.count ? text.count : size)
    }
    message = []
    size = 0
    isFilled = false
  }

  /// Clients drop events without data, such as comments that keep a connection alive (HTML, 9.2.6).
  private var hasData: Bool {
    guard case .events = syntax, size == message.count else { return true }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = EventStream.lines(message.starts(with: byteOrderMark) ? Array(message.dropFirst(3)) : message)
    return lines.contains { $0.prefix { $0 != UInt8(ascii: ":") }.elementsEqual("data".utf8) }
  }

  private mutating func isEnd(_ byte: UInt8) -> Bool {
    switch syntax {
    case .lines: return byte == 10 || byte == Self.recordSeparator
    case .records: return byte == Self.recordSeparator
    case .events:
      defer { endsWithReturn = byte == 13 }
      switch byte {
      // The second half of a line end.
      case 10 where endsWithReturn: return false
      case 10, 13:
        defer { isLineEmpty = true }
        return isLineEmpty
      default:
        isLineEmpty = false
        return false
      }
    }
  }
}
