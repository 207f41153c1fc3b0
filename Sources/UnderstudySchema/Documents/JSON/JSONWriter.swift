import UnderstudyJSON

/// Writes JSON text: the order of members and the spelling of numbers stay, and only the escapes that RFC 8259 requires
/// occur.
package struct JSONWriter {
  /// The layout: without white space, or with one member per line and two spaces per level.
  package enum Layout: Sendable { case compact, pretty }

  private let layout: Layout
  private var out: [UInt8] = []

  package static func bytes(_ value: JSON, _ layout: Layout = .compact) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.write(value, depth: 0)
    return writer.out
  }

  package static func text(_ value: JSON, _ layout: Layout = .compact) -> String {
    String(decoding: bytes(value, layout), as: UTF8.self)
  }

  private init(layout: Layout) { self.layout = layout }

  private mutating func write(_ value: JSON, depth: Int) {
    switch value.kind {
    case .null: out += "null".utf8
    case .true: out += "true".utf8
    case .false: out += "false".utf8
    case .number: value.document.withBytes(of: value.index) { out += $0 }
    case .string: write(string: value)
    case .array:
      list(value.elements, "[", "]", depth) { writer, element in writer.write(element, depth: depth + 1) }
    case .object:
      list(value.members, "{", "}", depth) { writer, member in
        writer.write(string: member.key)
        writer.out += (writer.layout == .pretty ? ": " : ":").utf8
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func list<S: Sequence>(
    _ items: S, _ open: String, _ close: String, _ depth: Int, _ body: (inout JSONWriter, S.Element) -> Void
  ) {
    out += open.utf8
    var isFirst = true
    for item in items {
      if !isFirst { out.append(UInt8(ascii: ",")) }
      isFirst = false
      breakLine(depth + 1)
      body(&self, item)
    }
    if !isFirst { breakLine(depth) }
    out += close.utf8
  }

  private mutating func breakLine(_ depth: Int) {
    guard layout == .pretty else { return }
    out.append(UInt8(ascii: "\n"))
    out += repeatElement(UInt8(ascii: " "), count: depth * 2)
  }

  private mutating func write(string value: JSON) {
    value.document.withBytes(of: value.index) { bytes in Self.quote(bytes, into: &out) }
  }

  /// Appends a string with its quotes and escapes.
  package static func quote(_ bytes: some Sequence<UInt8>, into out: inout [UInt8]) {
    JSONValue.quote(bytes, into: &out)
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String { JSONWriter.text(self) }
}
