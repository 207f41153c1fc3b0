import CUnderstudyYAML

/// Reads YAML into a document with a source map.
///
/// The structure follows libyaml (YAML 1.1 with much of 1.2), scalars the core schema of YAML 1.2 (see `YAMLScalar`).
/// Keys are strings by their spelling: `200:` is `"200"`. An alias is expanded in place: the copy has the position of
/// the alias, its descendants those of the anchor. An empty text is `null`. A text has one document, as a file holds
/// one contract or fixture.
package struct YAMLReader: ~Copyable {
  /// The deepest nesting of containers, aliases included.
  package static let maximumDepth = JSONParser.maximumDepth
  /// The most values that all aliases of a text may stand for ("billion laughs").
  package static let maximumAliasedValues = 1_000_000

  /// Parses a file.
  package static func parse(_ source: SourceFile) throws(TextProblem) -> JSONDocument {
    let text = source.bytes
    guard text.count <= JSONParser.maximumBytes else {
      throw TextProblem(.limit, "the text is larger than \(JSONParser.maximumBytes.asBytes)", at: 0..<0)
    }
    if let problem = UTF8Check.firstProblem(in: text) { throw problem }
    var repairs = YAMLRepairs(text)
    while true {
      do throws(TextProblem) {
        return try parse(source, repairs)
      } catch {
        guard repairs.mend(error) else { throw repairs.cause(of: error) }
      }
    }
  }

  private static func parse(_ source: SourceFile, _ repairs: YAMLRepairs) throws(TextProblem) -> JSONDocument {
    try repairs.text.withUnsafeBufferPointer { (bytes) throws(TextProblem) in
      let start = bytes.starts(with: UTF8Check.byteOrderMark) ? UTF8Check.byteOrderMark.count : 0
      guard let events = YAMLEvents(source, bytes, from: start) else { return empty(source) }
      var reader = YAMLReader(source, events, repairs)
      return try reader.document()
    }
  }

  /// An open container.
  private struct Frame {
    let index: Int
    let isObject: Bool
    var expectsKey: Bool
  }

  private let source: SourceFile
  private var events: YAMLEvents
  private var repairs: YAMLRepairs
  private var builder = JSONBuilder(withRanges: true)
  private var open: [Frame] = []
  /// The node of each anchor; a later anchor of the same name replaces it.
  private var anchors: [String: Int] = [:]
  private var aliasedValues = 0
  private var hasMergeKey = false
  private var duplicates: [TextProblem] = []
  /// The end of the last value, which ends a block container; libyaml ends it at the start of the next token.
  private var lastEnd = 0

  private init(_ source: SourceFile, _ events: consuming YAMLEvents, _ repairs: YAMLRepairs) {
    self.source = source
    self.events = events
    self.repairs = repairs
    builder.reserve(forText: source.bytes.count)
  }

  private static func empty(_ source: SourceFile) -> JSONDocument {
    var builder = JSONBuilder(withRanges: true)
    builder.append(.null, at: 0..<0)
    return builder.finish(source: source)
  }

  private mutating func document() throws(TextProblem) -> JSONDocument {
    reading: while true {
      try events.advance()
      switch events.event.pointee.type {
      case YAML_SCALAR_EVENT: try scalar()
      case YAML_MAPPING_START_EVENT: try begin(.object)
      case YAML_SEQUENCE_START_EVENT: try begin(.array)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: end()
      case YAML_ALIAS_EVENT: try alias()
      case YAML_DOCUMENT_START_EVENT:
        guard builder.nodes.isEmpty else {
          throw TextProblem(
            .syntax, "expected one document, found the start of a second", at: events.range(),
            help: "put it into a file of its own, or remove the `---`")
        }
      case YAML_STREAM_END_EVENT: break reading
      default: break
      }
    }
    if let problem = repairs.misplaced { throw problem }
    guard !builder.nodes.isEmpty else { return Self.empty(source) }
    let document = builder.finish(source: source, duplicates: duplicates)
    return hasMergeKey ? try YAMLMerge.resolve(document) : document
  }
}

// MARK: - Scalars

extension YAMLReader {
  private var expectsKey: Bool { open.last?.expectsKey ?? false }

  private mutating func scalar() throws(TextProblem) {
    let range = events.range()
    let scalar = events.event.pointee.data.scalar
    if repairs.changesText {
      let text = UnsafeMutableBufferPointer(start: scalar.value, count: scalar.length)
      repairs.undo(in: text, at: range, scalar.style)
    }
    let text = YAMLScalar.Text(start: scalar.value, count: scalar.length)
    lastEnd = range.upperBound
    if let anchor = scalar.anchor { anchors[Self.name(anchor)] = builder.nodes.count }
    if expectsKey {
      builder.append(key: text, at: range)
      let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil
      if isPlain, text.count == 2, text[0] == UInt8(ascii: "<"), text[1] == UInt8(ascii: "<") {
        builder.nodes[builder.nodes.count - 1].kind = YAMLMerge.keyKind
        hasMergeKey = true
      }
    } else {
      switch try meaning(of: text, tag: scalar.tag, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, at: range) {
      case .string: builder.append(string: text, at: range)
      case .number: builder.append(number: text, at: range)
      case .respelled(let spelling): builder.append(number: spelling, at: range)
      case .bool(let value): builder.append(value, at: range)
      case .null: builder.append(.null, at: range)
      }
    }
    advanceKey()
  }

  @inline(__always)
  private func meaning(
    of text: YAMLScalar.Text, tag: UnsafePointer<yaml_char_t>?, isPlain: Bool, at range: Range<Int>
  ) throws(TextProblem) -> YAMLScalar {
    guard let tag else { return isPlain ? YAMLScalar.plain(text) : .string }
    let name = Self.name(tag)
    if name == "!" { return .string }
    guard let core = Self.coreTag(name) else { return isPlain ? YAMLScalar.plain(text) : .string }
    guard let meaning = YAMLScalar.tagged(core, text, isPlain: isPlain) else {
      throw TextProblem(
        .syntax, "the value is not a !!\(core) that JSON can hold", at: range, help: "change it or remove the tag")
    }
    return meaning
  }

  private static func name(_ pointer: UnsafePointer<yaml_char_t>) -> String { String(cString: pointer) }

  private static func coreTag(_ name: String) -> Substring? {
    let prefix = "tag:yaml.org,2002:"
    return name.hasPrefix(prefix) ? name.dropFirst(prefix.utf8.count) : nil
  }

  /// Switches between keys and values of an object.
  @inline(__always)
  private mutating func advanceKey() {
    if let frame = open.last, frame.isObject { open[open.count - 1].expectsKey.toggle() }
  }
}

// MARK: - Containers

extension YAMLReader {
  private mutating func begin(_ kind: JSON.Kind) throws(TextProblem) {
    let range = events.range()
    let isObject = kind == .object
    let data = events.event.pointee.data
    guard !expectsKey else { throw complexKey(at: range) }
    guard open.count < Self.maximumDepth else { throw tooDeep(at: range) }
    if let tag = isObject ? data.mapping_start.tag : data.sequence_start.tag, let core = Self.coreTag(Self.name(tag)),
      ["str", "int", "float", "bool", "null", "binary", isObject ? "seq" : "map"].contains(core)
    {
      throw TextProblem(
        .syntax, "\(isObject ? "a mapping" : "a list") is not a !!\(core)", at: range, help: "remove the tag")
    }
    if let anchor = isObject ? data.mapping_start.anchor : data.sequence_start.anchor {
      anchors[Self.name(anchor)] = builder.nodes.count
    }
    open.append(Frame(index: builder.nodes.count, isObject: isObject, expectsKey: isObject))
    lastEnd = range.upperBound
    builder.begin(kind, at: range)
  }

  private mutating func end() {
    let object = open.removeLast()
    let mark = events.range()
    // Only a flow container has a closing character.
    if !mark.isEmpty { lastEnd = max(lastEnd, mark.upperBound) }
    builder.end(upTo: lastEnd)
    if object.isObject, builder.nodes[object.index].count > 1 {
      builder.bytes.withUnsafeBufferPointer {
        DuplicateKeys.append(
          to: &duplicates, object: object.index, nodes: builder.nodes, ranges: builder.ranges, bytes: $0, source: source
        )
      }
    }
    advanceKey()
  }

  private func complexKey(at range: Range<Int>) -> TextProblem {
    TextProblem(
      .syntax, "expected a scalar as key, found a mapping or a list", at: range,
      help: "JSON keys are strings; text in braces or brackets, such as {{ name }}, needs quotes")
  }

  private func tooDeep(at range: Range<Int>) -> TextProblem {
    TextProblem(.limit, "nested deeper than \(Self.maximumDepth) levels", at: range)
  }
}

// MARK: - Aliases

extension YAMLReader {
  private mutating func alias() throws(TextProblem) {
    let range = events.range()
    lastEnd = range.upperBound
    guard let pointer = events.event.pointee.data.alias.anchor else { return }
    let name = Self.name(pointer)
    guard let target = anchors[name] else {
      throw TextProblem(
        .syntax, "the alias `*\(name)` has no anchor `&\(name)` before it", at: range,
        help: "declare the anchor first, or quote the text")
    }
    let node = builder.nodes[target]
    let isContainer = node.kind == .array || node.kind == .object
    // Only an open container has no end.
    guard !isContainer || node.offset > 0 else {
      throw TextProblem(
        .syntax, "the alias `*\(name)` refers to a value that contains it", at: range,
        help: "JSON has no cycles")
    }
    if expectsKey {
      guard !isContainer else { throw complexKey(at: range) }
      builder.append(key: spelling(of: node), at: range)
    } else {
      aliasedValues += isContainer ? Int(node.offset) - target : 1
      guard aliasedValues <= Self.maximumAliasedValues else {
        throw TextProblem(
          .limit, "the aliases of this text expand to more than \(Self.maximumAliasedValues) values", at: range,
          help: "aliases of aliases multiply; write the values out")
      }
      let height = builder.repeatValue(at: target, range: range)
      guard open.count + height <= Self.maximumDepth else { throw tooDeep(at: range) }
    }
    advanceKey()
  }

  private func spelling(of scalar: JSONDocument.Node) -> [UInt8] {
    switch scalar.kind {
    case .true: Array("true".utf8)
    case .false: Array("false".utf8)
    case .null: Array("null".utf8)
    default: Array(builder.bytes[Int(scalar.offset)..<Int(scalar.offset) + Int(scalar.count)])
    }
  }
}
