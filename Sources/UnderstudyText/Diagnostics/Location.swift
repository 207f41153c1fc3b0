/// The location of a finding: a value in a file, a range of a file, or a part of a request or response.
public struct Location: Sendable {
  /// The file, if its text is known.
  package var source: SourceFile?
  /// Byte offsets in the file; `nil` means the file as a whole.
  package var range: Range<Int>?
  /// The pointer of the value in its document, or in the exchange: `/body/nick`, `/query/lastchatDate`.
  public var pointer: String?
  /// What is known of a file without its text.
  private var plain: Plain?

  private struct Plain: Sendable, Hashable {
    var path: String?
    var line: Int?
    var column: Int?
    var endLine: Int?
    var endColumn: Int?
    var excerpt: Excerpt?
  }

  package init(_ source: SourceFile?, _ range: Range<Int>? = nil, pointer: String? = nil) {
    let place = source?.resolved(range)
    self.source = place?.file
    self.range = place?.range ?? range
    self.pointer = pointer
  }

  /// A file without its text: a missing one, or that of a report, which keeps no texts. Lines and columns are from 1.
  package init(
    path: String?, line: Int? = nil, column: Int? = nil, endLine: Int? = nil, endColumn: Int? = nil,
    pointer: String? = nil, excerpt: Excerpt? = nil
  ) {
    plain = Plain(path: path, line: line, column: column, endLine: endLine, endColumn: endColumn, excerpt: excerpt)
    self.pointer = pointer
  }

  /// A part of a request or response.
  package init(exchange pointer: String) { self.pointer = pointer }

  /// The path of the file for messages.
  public var path: String? { source?.path ?? plain?.path }

  /// The line of its start, from 1; `nil` where it is unknown.
  public var line: Int? { start?.line ?? plain?.line }

  /// The column of its start in code points, from 1; `nil` where it is unknown.
  public var column: Int? { start?.column ?? plain?.column }

  package var endLine: Int? { end?.line ?? plain?.endLine }

  /// One past the last.
  package var endColumn: Int? { end?.column ?? plain?.endColumn }

  package var excerpt: Excerpt? { Excerpt(self) ?? plain?.excerpt }

  private var values: Plain {
    let (start, end) = (start, end)
    return plain
      ?? Plain(
        path: source?.path, line: start?.line, column: start?.column, endLine: end?.line, endColumn: end?.column,
        excerpt: Excerpt(self))
  }

  /// The location without the text of its file.
  package var detached: Location {
    var location = Location(nil, pointer: pointer)
    location.plain = values
    return location
  }

  /// A pointer into an exchange may have names and values of it; a location in a file stays.
  func redacted(by hide: (String) -> String) -> Location {
    path == nil ? Location(nil, pointer: pointer.map(hide)) : self
  }

  /// The line and column of its start.
  package var start: SourceFile.Position? { range.flatMap { range in source?.position(of: range.lowerBound) } }

  /// The line and column one past its end.
  package var end: SourceFile.Position? { range.flatMap { range in source?.position(of: range.upperBound) } }
}

extension Location: CustomStringConvertible {
  /// `specs/slp.yaml:12:3`, or the pointer without a file.
  public var description: String {
    guard let path else { return pointer ?? "" }
    guard let line else { return path }
    return "\(path):\(line):\(column ?? 1)"
  }
}

extension Location {
  /// The description, safe to print and of limited length.
  package var shown: String { VisibleText.line(VisibleText.shortened(description, to: 500)) }
}

extension Location: Hashable {
  /// Compares what is shown of the locations.
  public static func == (a: Location, b: Location) -> Bool { a.pointer == b.pointer && a.values == b.values }

  /// Hashes the pointer and the file.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pointer)
    hasher.combine(path)
  }
}
