/// The location of a finding: a value in a file, a range of a file, or a part of a request or response.
public struct Location: Sendable {
  /// The file, if its text is known.
  package var source: SourceFile?
  /// Byte offsets in the file; `nil` means the file as a whole.
  package var range: Range<Int>?
  /// The pointer of the value in its document, or in the exchange: `/body/nick`, `/query/lastchatDate`.
  public var pointer: String?
  /// The path of a file without a known text, such as a missing one.
  private var barePath: String?

  package init(_ source: SourceFile?, _ range: Range<Int>? = nil, pointer: String? = nil) {
    self.source = source
    self.range = range
    self.pointer = pointer
  }

  /// A file without a known text, such as a missing one.
  package init(path: String) { barePath = path }

  /// A part of a request or response.
  package init(exchange pointer: String) { self.pointer = pointer }

  /// The path of the file for messages.
  public var path: String? { source?.path ?? barePath }

  /// The line of its start, from 1; `nil` without a known text.
  public var line: Int? { start?.line }

  /// The column of its start in code points, from 1; `nil` without a known text.
  public var column: Int? { start?.column }

  /// The line and column of its start.
  package var start: SourceFile.Position? { range.flatMap { range in source?.position(of: range.lowerBound) } }

  /// The line and column one past its end.
  package var end: SourceFile.Position? { range.flatMap { range in source?.position(of: range.upperBound) } }
}

extension Location: CustomStringConvertible {
  /// `specs/slp.yaml:12:3`, or the pointer without a file.
  public var description: String {
    guard let path else { return pointer ?? "" }
    guard let start else { return path }
    return "\(path):\(start.line):\(start.column)"
  }
}
