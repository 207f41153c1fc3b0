/// Finds the entries of a HAR file in chunks by brackets, strings and depth, without parsing values but
/// `startedDateTime`; `HARFile` parses entries strictly.
struct HARScanner {
  struct Span: Sendable {
    var offset: Int
    var length: Int
    /// From 1.
    var line: Int
    /// Bytes from the start of the line, from 1.
    var column: Int
    /// Microseconds since 1970; `nil` if the entry has no time.
    var startedAt: Int?
  }

  /// Why the rest of a file cannot be read.
  struct Damage: Sendable, Equatable {
    var message: String
    /// From 1.
    var line: Int
    var offset: Int
  }

  private(set) var spans: [Span] = []
  private(set) var damage: Damage?
  /// Whether `log.entries` was found, and is an array.
  private(set) var hasEntries = false
  /// The number of elements of `log.entries` that are not objects.
  private(set) var strays = 0
  /// The range of the value of `log.creator`.
  private(set) var creator: Range<Int>?

  private var position = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0
  /// The number of open levels among root, `log`, `entries` and an entry.
  private var path = 0
  private var isInString = false
  private var isEscaped = false
  /// After the colon of a member.
  private var isValue = false
  private var slot = Slot.first
  /// In a number or a word.
  private var isInToken = false
  private var hasRoot = false
  /// The current string without quotes, if it may be a key or a time of interest.
  private var text: [UInt8]?
  private var key: [UInt8] = []
  private var start = Span(offset: 0, length: 0, line: 0, column: 0)
  private var creatorStart: Int?

  /// The last part of `entries` that was read.
  private enum Slot { case first, element, comma }

  /// The most bytes of a key or time of interest.
  private static let textLimit = 64

  init() {}

  mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    let before = position
    var index = 0
    while index < bytes.count, damage == nil {
      if isInString, !isEscaped, text == nil { index = Self.skip(bytes, from: index) }
      guard index < bytes.count else { break }
      position = before + index
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        line += 1
        lineStart = position + 1
      }
      if isInString { string(byte) } else { structure(byte) }
      index += 1
    }
    if damage == nil { position = before + bytes.count }
  }

  /// The position of the next quote, backslash or line end. Most of a recording is long strings.
  private static func skip(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"): return index
      default: index += 1
      }
    }
    return index
  }

  /// Ends the file. It is damaged if brackets are still open.
  mutating func finish() {
    guard damage == nil else { return }
    if path == 4 {
      fail("the file ends within the entry that begins in line \(start.line)")
    } else if depth > 0 || isInString {
      fail("unexpected end of file: brackets are still open")
    } else if position == 0 {
      fail("the file is empty")
    }
  }

  private mutating func fail(_ message: String) {
    if damage == nil { damage = Damage(message: message, line: line, offset: position) }
  }

  // MARK: - Strings

  private mutating func string(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      endOfString()
      return
    }
    if text != nil {
      text?.append(byte)
      if text?.count ?? 0 > Self.textLimit { text = nil }
    }
  }

  private mutating func endOfString() {
    guard let text else { return }
    self.text = nil
    // JSON allows escapes in keys.
    let plain = text.contains(UInt8(ascii: "\\")) ? Self.unescaped(text) : text
    if !isValue {
      key = plain
    } else if path == 4, key.elementsEqual("startedDateTime".utf8) {
      start.startedAt = Timestamp.microseconds(plain)
    }
  }

  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    let quote = [UInt8(ascii: "\"")]
    return (try? JSONParser.parse(quote + text + quote))?.root.string.map { Array($0.utf8) } ?? text
  }

  // MARK: - Structure

  private mutating func structure(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""):
      guard depth > 0 else { return expectRoot() }
      if depth == 3, path == 3 { stray() }
      isInString = true
      // Keys on the path to the entries; keys and values of an entry itself.
      if depth == path, path != 3 { text = [] }
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(isObject: byte == UInt8(ascii: "}"))
    case UInt8(ascii: ":"): isValue = true
    case UInt8(ascii: ","):
      isValue = false
      guard depth == 3, path == 3 else { break }
      if slot != .element { fail("expected an entry, found `,`") }
      slot = .comma
    case 0x20, 0x09, 0x0A, 0x0D: break
    default: return token(byte)
    }
    isInToken = false
  }

  private mutating func token(_ byte: UInt8) {
    if depth == 0 {
      if position < 3, byte == UTF8Check.byteOrderMark[position] { return }
      return expectRoot()
    }
    if !isInToken, depth == 3, path == 3 { stray() }
    isInToken = true
  }

  private mutating func expectRoot() {
    fail(hasRoot ? "expected the end of the file after the last `}`" : "expected a JSON object")
  }

  private mutating func open(isObject: Bool) {
    if depth == 0 {
      guard !hasRoot, isObject else { return expectRoot() }
      hasRoot = true
      path = 1
    } else if depth == path {
      switch path {
      case 1 where isValue && isObject && key.elementsEqual("log".utf8): path = 2
      case 2 where isValue && !isObject && key.elementsEqual("entries".utf8):
        path = 3
        hasEntries = true
        slot = .first
      case 2 where isValue && isObject && key.elementsEqual("creator".utf8): creatorStart = position
      case 3 where isObject:
        if slot == .element { return fail("expected `,` between two entries") }
        path = 4
        start = Span(offset: position, length: 0, line: line, column: position - lineStart + 1)
      case 3: stray()
      default: break
      }
    }
    depth += 1
    if depth == path { isValue = false }
  }

  private mutating func close(isObject: Bool) {
    guard depth > 0 else { return expectRoot() }
    if depth == path {
      guard isObject == (path != 3) else {
        return fail("expected `\(isObject ? "]" : "}")`, found `\(isObject ? "}" : "]")`")
      }
      if path == 3, slot == .comma { return fail("expected an entry after the comma") }
      if path == 4 {
        start.length = position + 1 - start.offset
        spans.append(start)
        slot = .element
      }
      path -= 1
    }
    depth -= 1
    isValue = depth == path
    if depth == 2, path == 2, let from = creatorStart {
      creator = from..<position + 1
      creatorStart = nil
    }
  }

  /// An element of `entries` that is not an object.
  private mutating func stray() {
    if slot == .element { return fail("expected `,` between two entries") }
    strays += 1
    slot = .element
  }
}
