import UnderstudySystem

/// A text with line and column positions: a contract, a fixture, a config file.
package final class SourceFile: Sendable {
  /// The path for messages, usually relative to the working directory.
  package let path: String
  /// The content, byte for byte.
  package let bytes: [UInt8]
  /// The number of the first line: more than 1 for a line of JSON Lines, each of which is a text of its own.
  private let firstLine: Int
  /// The files of a document whose values come from several files; empty for any other.
  private let parts: [Part]
  /// Built when the first position is requested.
  private let index = Lazy<Index>()

  private final class Index: Sendable {
    /// The offset of the first byte of every line.
    let lineStarts: [Int]
    /// The number of code points that start before every 1,024th byte: a minified document is one line of millions.
    let codePoints: [Int]

    init(_ bytes: [UInt8]) {
      var (lineStarts, codePoints, count) = ([0], [0], 0)
      for (offset, byte) in bytes.enumerated() {
        if byte == UInt8(ascii: "\n") { lineStarts.append(offset + 1) }
        if byte & 0xC0 != 0x80 { count += 1 }
        if (offset + 1).isMultiple(of: blockSize) { codePoints.append(count) }
      }
      (self.lineStarts, self.codePoints) = (lineStarts, codePoints)
    }
  }

  package init(path: String, bytes: [UInt8], firstLine: Int = 1) {
    self.path = path
    self.bytes = bytes
    self.firstLine = firstLine
    parts = []
  }

  package convenience init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }

  // MARK: - Several files

  private struct Part: Sendable {
    let file: SourceFile
    /// The offset of the first byte in the ranges of the document.
    let start: Int
  }

  private init(_ parts: [Part], path: String, bytes: [UInt8]) {
    (self.parts, self.path, self.bytes) = (parts, path, bytes)
    firstLine = 1
  }

  /// Creates the source of a document with values from this file and another file.
  ///
  /// Offsets in this file stay valid, and `offset` is the first offset of the other file. The path stays the same.
  package func joined(with file: SourceFile) -> (source: SourceFile, offset: Int) {
    let own = parts.isEmpty ? [Part(file: self, start: 0)] : parts
    // An empty range may lie at the end of a file.
    let start = own[own.count - 1].start + own[own.count - 1].file.bytes.count + 1
    return (SourceFile(own + [Part(file: file, start: start)], path: path, bytes: bytes), start)
  }

  /// The file that has a range of the document, and the range in that file.
  func resolved(_ range: Range<Int>?) -> (file: SourceFile, range: Range<Int>?) {
    guard let first = parts.first else { return (self, range) }
    guard let range, let part = parts.last(where: { $0.start <= range.lowerBound }) else { return (first.file, range) }
    return (part.file, range.lowerBound - part.start..<range.upperBound - part.start)
  }

  /// A line and a column, both from 1; the column counts Unicode code points.
  package struct Position: Hashable, Sendable, Comparable {
    package let line: Int
    package let column: Int

    package static func < (a: Position, b: Position) -> Bool { (a.line, a.column) < (b.line, b.column) }
  }

  /// The position of a byte offset; the end of the text for offsets past it.
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    return withIndex { index in
      let line = Self.line(of: offset, index)
      let column = codePoints(before: offset, index) - codePoints(before: index.lineStarts[line], index)
      return Position(line: line + firstLine, column: column + 1)
    }
  }

  private func codePoints(before offset: Int, _ index: Index) -> Int {
    let block = offset / Self.blockSize
    return index.codePoints[block] + Self.countCodePoints(bytes[(block * Self.blockSize)..<offset])
  }

  private static let blockSize = 1024

  /// Continuation bytes (10xxxxxx) belong to the code point before them.
  private static func countCodePoints(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(into: 0) { if $1 & 0xC0 != 0x80 { $0 += 1 } }
  }

  /// The bytes of the code point that starts at an offset; empty at the end of the text.
  package func character(at offset: Int) -> Range<Int> { UTF8Check.character(at: offset, in: bytes) }

  /// The line of a byte offset, as `position(of:)` counts it.
  package func lineNumber(of offset: Int) -> Int { withIndex { Self.line(of: offset, $0) } + firstLine }

  /// The text of a line, as `position(of:)` counts it, without its line break; invalid bytes show as U+FFFD.
  package func line(_ number: Int) -> String {
    withIndex { index in
      let line = number - firstLine
      guard index.lineStarts.indices.contains(line) else { return "" }
      return String(decoding: bytes[range(ofLine: line, index)], as: UTF8.self)
    }
  }

  /// Up to `limit` code points of a line on each side of an offset.
  package func surroundings(of offset: Int, limit: Int) -> (before: [Unicode.Scalar], after: [Unicode.Scalar]) {
    let offset = min(max(offset, 0), bytes.count)
    let line = withIndex { range(ofLine: Self.line(of: offset, $0), $0) }
    func edge(_ step: Int, _ bound: Int) -> Int {
      var (edge, count) = (offset, 0)
      while edge != bound, count < limit {
        edge += step
        // A code point ends where the next one starts, at a byte that is not a continuation byte.
        if edge == bytes.count || bytes[edge] & 0xC0 != 0x80 { count += 1 }
      }
      return edge
    }
    func scalars(_ range: Range<Int>) -> [Unicode.Scalar] {
      Array(String(decoding: bytes[range], as: UTF8.self).unicodeScalars)
    }
    return (
      scalars(edge(-1, min(line.lowerBound, offset))..<offset), scalars(offset..<edge(1, max(line.upperBound, offset)))
    )
  }

  private func range(ofLine line: Int, _ index: Index) -> Range<Int> {
    let start = index.lineStarts[line]
    var end = line + 1 < index.lineStarts.count ? index.lineStarts[line + 1] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<max(start, end)
  }

  private static func line(of offset: Int, _ index: Index) -> Int {
    var low = 0
    var high = index.lineStarts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if index.lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private func withIndex<R>(_ body: (Index) -> R) -> R { body(index.value { Index(bytes) }) }
}
