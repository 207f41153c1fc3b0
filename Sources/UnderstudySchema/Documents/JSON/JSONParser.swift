/// A strict parser of RFC 8259: UTF-8 only, no comments, no trailing commas, number spelling and order kept.
///
/// Duplicate keys are legal and reported (section 4 leaves their meaning open). A lone surrogate escape is refused,
/// since UTF-8 cannot encode it (section 8.2 calls its handling unpredictable).
package struct JSONParser {
  /// The deepest nesting of containers.
  package static let maximumDepth = 1_000
  /// Offsets are 32 bits wide.
  package static let maximumBytes = Int(Int32.max)

  /// Parses bytes without a source map, for bodies.
  package static func parse(_ bytes: [UInt8]) throws(TextProblem) -> JSONDocument {
    try parse(bytes, source: nil)
  }

  /// Parses a file with a source map.
  package static func parse(_ source: SourceFile) throws(TextProblem) -> JSONDocument {
    try parse(source.bytes, source: source)
  }

  private static func parse(_ input: [UInt8], source: SourceFile?) throws(TextProblem) -> JSONDocument {
    guard input.count <= maximumBytes else {
      throw TextProblem(.limit, "the text is larger than \(maximumBytes.asBytes)", at: 0..<0)
    }
    if let problem = UTF8Check.firstProblem(in: input) { throw problem }
    // Strings are decoded in place: the decoded form is never longer than the escaped one.
    var bytes = input
    var parser = JSONParser(count: input.count, source: source)
    try bytes.withUnsafeMutableBufferPointer { (buffer) throws(TextProblem) in try parser.document(in: buffer) }
    return JSONDocument(
      nodes: parser.nodes, bytes: bytes, ranges: parser.ranges, source: source, duplicates: parser.duplicates)
  }

  private let source: SourceFile?
  private var nodes: [JSONDocument.Node] = []
  private var ranges: [JSONDocument.SourceRange]?
  private var duplicates: [TextProblem] = []
  private var open: [Int] = []
  private var position = 0

  private init(count: Int, source: SourceFile?) {
    self.source = source
    nodes.reserveCapacity(count / 10 + 4)
    if source != nil {
      ranges = []
      ranges?.reserveCapacity(count / 10 + 4)
    }
  }

  private typealias Buffer = UnsafeMutableBufferPointer<UInt8>

  private mutating func document(in buffer: Buffer) throws(TextProblem) {
    if buffer.starts(with: UTF8Check.byteOrderMark) { position = 3 }
    try values(buffer)
    skipSpace(buffer)
    guard position == buffer.count else {
      throw problem(buffer, "expected the end of the text, found \(found(buffer))", help: "a JSON text has one value")
    }
  }

  /// Reads one value with all its descendants, without recursion: a deep text must not exhaust the stack.
  private mutating func values(_ buffer: Buffer) throws(TextProblem) {
    repeat {
      skipSpace(buffer)
      if try value(buffer) { continue }
      // A value has ended: close the containers that end with it, and step over one comma.
      closing: while let parent = open.last {
        skipSpace(buffer)
        let isObject = nodes[parent].kind == .object
        guard position < buffer.count else { throw unclosed(buffer, parent) }
        switch buffer[position] {
        case UInt8(ascii: ","):
          let comma = position
          position += 1
          skipSpace(buffer)
          if position < buffer.count, buffer[position] == UInt8(ascii: "]") || buffer[position] == UInt8(ascii: "}") {
            throw TextProblem(
              .syntax, "expected another \(isObject ? "member" : "element") after the comma", at: comma..<comma + 1,
              help: "JSON allows no trailing comma: remove it")
          }
          if isObject { try key(buffer) }
          break closing
        case UInt8(ascii: "]") where !isObject, UInt8(ascii: "}") where isObject:
          position += 1
          close(buffer)
        default:
          throw problem(buffer, "expected `,` or `\(isObject ? "}" : "]")`, found \(found(buffer))")
        }
      }
    } while !open.isEmpty
  }

  /// Reads a scalar or an empty container, or opens a container; returns whether a value must follow.
  private mutating func value(_ buffer: Buffer) throws(TextProblem) -> Bool {
    guard position < buffer.count else {
      if let parent = open.last { throw unclosed(buffer, parent, expected: "a value") }
      throw problem(buffer, "expected a value, found the end of the text")
    }
    let start = position
    switch buffer[position] {
    case UInt8(ascii: "\""):
      let text = try string(buffer)
      push(JSONDocument.Node(kind: .string, count: UInt32(text.count), offset: UInt32(text.lowerBound)), from: start)
    case UInt8(ascii: "{"):
      try begin(.object, buffer)
      guard !isEmpty(until: UInt8(ascii: "}"), buffer) else { return false }
      try key(buffer)
      return true
    case UInt8(ascii: "["):
      try begin(.array, buffer)
      return !isEmpty(until: UInt8(ascii: "]"), buffer)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(buffer)
    case UInt8(ascii: "t"): try word("true", .true, buffer)
    case UInt8(ascii: "f"): try word("false", .false, buffer)
    case UInt8(ascii: "n"): try word("null", .null, buffer)
    default: throw problem(buffer, "expected a value, found \(found(buffer))", help: valueHelp(buffer))
    }
    return false
  }

  /// Closes an empty container; returns whether it was empty.
  @inline(__always)
  private mutating func isEmpty(until bracket: UInt8, _ buffer: Buffer) -> Bool {
    skipSpace(buffer)
    guard position < buffer.count, buffer[position] == bracket else { return false }
    position += 1
    close(buffer)
    return true
  }

  private mutating func begin(_ kind: JSON.Kind, _ buffer: Buffer) throws(TextProblem) {
    guard open.count < Self.maximumDepth else {
      throw problem(buffer, "nested deeper than \(Self.maximumDepth) levels", kind: .limit)
    }
    push(JSONDocument.Node(kind: kind), from: position)
    open.append(nodes.count - 1)
    position += 1
  }

  private mutating func close(_ buffer: Buffer) {
    let index = open.removeLast()
    nodes[index].offset = UInt32(nodes.count)
    ranges?[index].end = UInt32(position)
    if nodes[index].kind == .object, nodes[index].count > 1 {
      DuplicateKeys.append(
        to: &duplicates, object: index, nodes: nodes, ranges: ranges, bytes: UnsafeBufferPointer(buffer),
        source: source)
    }
  }

  /// Reads a key and its colon.
  private mutating func key(_ buffer: Buffer) throws(TextProblem) {
    guard position < buffer.count else { throw unclosed(buffer, open[open.count - 1]) }
    let start = position
    guard buffer[position] == UInt8(ascii: "\"") else {
      throw problem(
        buffer, "expected a key in double quotes, found \(found(buffer))", help: "JSON keys need double quotes")
    }
    let text = try string(buffer)
    var node = JSONDocument.Node(kind: .string, count: UInt32(text.count), offset: UInt32(text.lowerBound))
    node.hash = JSONDocument.hash(UnsafeBufferPointer(rebasing: buffer[text]))
    nodes.append(node)
    ranges?.append(JSONDocument.SourceRange(start: start, end: position))
    skipSpace(buffer)
    guard position < buffer.count, buffer[position] == UInt8(ascii: ":") else {
      throw problem(buffer, "expected `:` after the key, found \(found(buffer))")
    }
    position += 1
  }

  @inline(__always)
  private mutating func push(_ node: JSONDocument.Node, from start: Int) {
    if let parent = open.last { nodes[parent].count += 1 }
    nodes.append(node)
    ranges?.append(JSONDocument.SourceRange(start: start, end: position))
  }

  private mutating func word(_ word: StaticString, _ kind: JSON.Kind, _ buffer: Buffer) throws(TextProblem) {
    let start = position
    let length = word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: length)
    guard position + length <= buffer.count, buffer[position..<position + length].elementsEqual(expected) else {
      throw problem(buffer, "expected `\(word)`, found \(found(buffer))", help: valueHelp(buffer))
    }
    position += length
    push(JSONDocument.Node(kind: kind), from: start)
  }

  private mutating func number(_ buffer: Buffer) throws(TextProblem) {
    let start = position
    var value: Int64 = 0
    var isInteger = true
    if buffer[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    func digit(_ offset: Int) -> Bool { offset < buffer.count && 48...57 ~= buffer[offset] }
    while digit(position) {
      if position - first < 10 { value = value * 10 + Int64(buffer[position] - 48) }
      position += 1
    }
    let whole = position - first
    guard whole > 0 else { throw problem(buffer, "expected a digit after `-`, found \(found(buffer))") }
    guard whole == 1 || buffer[first] != UInt8(ascii: "0") else {
      throw TextProblem(.syntax, "a number must not start with an extra 0", at: start..<position)
    }
    if position < buffer.count, buffer[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard digit(position) else {
        throw problem(buffer, "expected a digit after the decimal point, found \(found(buffer))")
      }
      while digit(position) { position += 1 }
    }
    if position < buffer.count, buffer[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < buffer.count, buffer[position] == UInt8(ascii: "+") || buffer[position] == UInt8(ascii: "-") {
        position += 1
      }
      guard digit(position) else { throw problem(buffer, "expected a digit in the exponent, found \(found(buffer))") }
      while digit(position) { position += 1 }
    }
    var node = JSONDocument.Node(kind: .number, count: UInt32(position - start), offset: UInt32(start))
    if isInteger, whole <= 10, let small = Int32(exactly: first > start ? -value : value) {
      node.isSmallInteger = true
      node.hash = UInt32(bitPattern: small)
    }
    push(node, from: start)
  }

  /// Reads a string and decodes its escapes in place; returns its range in the buffer.
  private mutating func string(_ buffer: Buffer) throws(TextProblem) -> Range<Int> {
    let quote = position
    let start = position + 1
    var read = Self.endOfPlainText(in: buffer, from: start)
    var write = read
    while read < buffer.count {
      let byte = buffer[read]
      switch byte {
      case UInt8(ascii: "\""):
        position = read + 1
        return start..<write
      case 0..<0x20:
        position = read
        throw problem(
          buffer, "a string contains a raw control character \(found(buffer))",
          help: byte == 10 ? "add a missing closing quote, or write \\n for a line break" : "write it as \\u00XX")
      case UInt8(ascii: "\\"): try StringEscape.decode(buffer, &read, &write)
      default:
        buffer[write] = byte
        read += 1
        write += 1
      }
    }
    throw TextProblem(.syntax, "a string is not closed", at: quote..<quote + 1, help: "add the closing `\"`")
  }

  /// The place of the first quote, backslash or control character, or the end.
  ///
  /// Looks at eight bytes at a time: in each partial result the high bit of a byte says that one was found. Only the lowest
  /// one is certain.
  @inline(__always)
  private static func endOfPlainText(in buffer: Buffer, from start: Int) -> Int {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let raw = UnsafeRawBufferPointer(buffer)
    var offset = start
    while offset + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
      let backslashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
      let found =
        ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word) & highs
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < raw.count, raw[offset] != UInt8(ascii: "\""), raw[offset] != UInt8(ascii: "\\"),
      raw[offset] >= 0x20
    {
      offset += 1
    }
    return offset
  }

  @inline(__always)
  private mutating func skipSpace(_ buffer: Buffer) {
    while position < buffer.count {
      switch buffer[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}

// MARK: - Wording

extension JSONParser {
  private func problem(
    _ buffer: Buffer, _ message: String, kind: TextProblem.Kind = .syntax, help: String? = nil
  ) -> TextProblem {
    TextProblem(kind, message, at: UTF8Check.character(at: position, in: buffer), help: help)
  }

  private func unclosed(_ buffer: Buffer, _ container: Int, expected: String? = nil) -> TextProblem {
    let isObject = nodes[container].kind == .object
    let message = "expected \(expected ?? (isObject ? "`}`" : "`]`")), found the end of the text"
    guard let source, let ranges else { return problem(buffer, message) }
    let line = source.lineNumber(of: Int(ranges[container].start))
    return TextProblem(
      .syntax, message, at: position..<position,
      help: "the \(isObject ? "object" : "array") that starts in line \(line) is never closed")
  }

  private func found(_ buffer: Buffer) -> String {
    guard position < buffer.count else { return "the end of the text" }
    let byte = buffer[position]
    guard byte >= 0x20, byte != 0x7F else {
      return "U+00" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return UTF8Check.quoted(at: position, in: buffer)
  }

  private func valueHelp(_ buffer: Buffer) -> String? {
    let rest = String(decoding: buffer[position..<min(position + 9, buffer.count)], as: UTF8.self).lowercased()
    if rest.hasPrefix("'") { return "JSON strings need double quotes" }
    if rest.hasPrefix("/") || rest.hasPrefix("#") { return "JSON has no comments" }
    if rest.hasPrefix("nan") || rest.hasPrefix("inf") || rest.hasPrefix("+") || rest.hasPrefix(".") {
      return "JSON numbers start with a digit or `-`; JSON has no NaN and no Infinity"
    }
    if rest.hasPrefix("true") || rest.hasPrefix("false") || rest.hasPrefix("none") || rest.hasPrefix("null") {
      return "JSON writes true, false and null in lower case"
    }
    return rest.hasPrefix("<") ? "this looks like HTML or XML, not JSON" : nil
  }
}
