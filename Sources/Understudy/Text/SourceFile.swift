import Synchronization

/// A text that positions point into: a contract, a fixture, a config file.
public final class SourceFile: Sendable {
  /// The path as it is shown to people, usually relative to the working directory.
  public let path: String
  /// The content, byte for byte.
  package let bytes: [UInt8]
  /// The number of the first line: more than 1 for a line of JSON Lines, which is a text of its own.
  private let firstLine: Int
  /// Offsets of the first byte of every line, made at the first question about a line.
  private let lineStarts = Mutex<[Int]?>(nil)

  package init(path: String, bytes: [UInt8], firstLine: Int = 1) {
    self.path = path
    self.bytes = bytes
    self.firstLine = firstLine
  }

  package convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// A line and a column, both from 1; the column counts Unicode code points.
  public struct Position: Hashable, Sendable, Comparable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, in Unicode code points.
    public let column: Int

    /// Orders positions as they follow each other in the text.
    public static func < (a: Position, b: Position) -> Bool { (a.line, a.column) < (b.line, b.column) }
  }

  /// The position of a byte offset; an offset past the end gives the end.
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    let start = withLineStarts { $0[line] }
    // Continuation bytes (10xxxxxx) belong to the code point before them.
    let column = bytes[start..<offset].reduce(into: 0) { if $1 & 0xC0 != 0x80 { $0 += 1 } }
    return Position(line: line + firstLine, column: column + 1)
  }

  /// The bytes of the code point that starts at an offset; empty at the end of the text.
  package func character(at offset: Int) -> Range<Int> { UTF8Check.character(at: offset, in: bytes) }

  /// The line of a byte offset, as `position(of:)` counts it.
  package func lineNumber(of offset: Int) -> Int { lineIndex(of: offset) + firstLine }

  /// The text of a line, as `position(of:)` counts it, without its line break; invalid bytes show as U+FFFD.
  package func line(_ number: Int) -> String {
    withLineStarts { starts in
      let number = number - firstLine + 1
      guard number >= 1, number <= starts.count else { return "" }
      var end = number < starts.count ? starts[number] - 1 : bytes.count
      let start = starts[number - 1]
      if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    }
  }

  private func lineIndex(of offset: Int) -> Int {
    withLineStarts { starts in
      var low = 0
      var high = starts.count
      while low + 1 < high {
        let middle = (low + high) / 2
        if starts[middle] <= offset { low = middle } else { high = middle }
      }
      return low
    }
  }

  private func withLineStarts<R>(_ body: ([Int]) -> R) -> R {
    let starts = lineStarts.withLock { cached in
      if let cached { return cached }
      var starts = [0]
      for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
      cached = starts
      return starts
    }
    return body(starts)
  }
}
