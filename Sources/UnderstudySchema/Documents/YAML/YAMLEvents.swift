import CUnderstudyYAML

/// The event stream of libyaml over UTF-8 bytes, with positions as byte offsets.
///
/// An event is valid until the next one, so that scalars are not copied before their position in the document is known.
struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The current event.
  let event: UnsafeMutablePointer<yaml_event_t>
  private let source: SourceFile
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The start of libyaml's text, after the byte order mark.
  private let start: Int
  /// The last character that libyaml has reported, and its byte offset.
  private var index = 0
  private var offset: Int

  /// - Parameters:
  ///   - bytes: The well-formed bytes of `source`, which must outlive the stream.
  ///   - start: The offset at which the stream begins.
  init?(_ source: SourceFile, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    self.source = source
    self.bytes = bytes
    self.start = start
    offset = start
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())
    parser.initialize(to: yaml_parser_t())
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, base + start, bytes.count - start)
  }

  deinit {
    yaml_event_delete(event)
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }

  /// Moves to the next event.
  @inline(__always)
  mutating func advance() throws(TextProblem) {
    yaml_event_delete(event)
    guard yaml_parser_parse(parser, event) == 1 else { throw problem() }
  }

  /// The range of the current event, without the trailing white space that libyaml includes in a block.
  @inline(__always)
  mutating func range() -> Range<Int> {
    let start = offset(ofCharacter: event.pointee.start_mark.index)
    var end = max(start, offset(ofCharacter: event.pointee.end_mark.index))
    while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private mutating func problem() -> TextProblem {
    let parser = parser.pointee
    if parser.error == YAML_READER_ERROR {
      return YAMLWording.forbiddenCharacter(parser.problem_value, at: min(bytes.count, start + parser.problem_offset))
    }
    let problem = offset(ofCharacter: parser.problem_mark.index)
    let hasContext = parser.context != nil
    return YAMLWording.problem(
      parser.problem.map { String(cString: $0) } ?? "out of memory", at: problem,
      context: hasContext ? offset(ofCharacter: parser.context_mark.index) : nil,
      while: parser.context.map { String(cString: $0) } ?? "", in: source)
  }

  /// The byte offset of a character; finding those of all marks takes one pass over the text.
  private mutating func offset(ofCharacter target: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    while index + 8 <= target, offset + 8 <= bytes.count,
      raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      offset += 8
      index += 8
    }
    while index < target, offset < bytes.count {
      offset += Self.length(lead: bytes[offset])
      index += 1
    }
    while index > target, offset > start {
      repeat { offset -= 1 } while offset > 0 && bytes[offset] & 0xC0 == 0x80
      index -= 1
    }
    return min(offset, bytes.count)
  }

  private static func length(lead byte: UInt8) -> Int {
    switch byte {
    case 0..<0x80: 1
    case 0x80..<0xE0: 2
    case 0xE0..<0xF0: 3
    default: 4
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
