/// A recording in HAR 1.2, read entry by entry, so that only the size of the largest entry matters. It is read twice:
/// to find the entries and their times, and to validate them in that order. Between the two, an entry costs six words.
package struct HARFile: Sendable {
  /// The largest entry that is read: 16 MiB.
  package static let entryLimit = 16 << 20

  package let path: String
  /// The program that wrote it: `WebInspector`, `Understudy`.
  package let creator: String?
  /// The number of elements of `log.entries` that are not objects.
  package let strays: Int
  /// Why the rest of the file cannot be read, with the line; `nil` if all of it could be read.
  package let damage: String?

  private let file: OpenFile
  /// In the order of their times.
  private let spans: [(index: Int, span: HARScanner.Span)]

  package var count: Int { spans.count }

  /// Finds the entries of a file, those before the damage of a damaged one. Throws if the file is not a recording.
  package init(_ path: String) throws(FileProblem) {
    let file = try OpenFile(path)
    var scanner = HARScanner()
    var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    var offset = 0
    while scanner.damage == nil {
      let got = try chunk.withUnsafeMutableBufferPointer { (buffer) throws(FileProblem) in
        try file.read(at: offset, into: buffer)
      }
      guard got > 0 else { break }
      chunk.withUnsafeBufferPointer { scanner.feed(UnsafeBufferPointer(rebasing: $0[..<got])) }
      offset += got
    }
    scanner.finish()
    if !scanner.hasEntries { throw Self.problem(path, scanner.damage, file) }
    self.path = path
    self.file = file
    strays = scanner.strays
    damage = scanner.damage.map { "\(path):\($0.line): \($0.message)" }
    creator = Self.creator(scanner.creator, file)
    spans = Self.sorted(scanner.spans)
  }

  /// The end of the last entry, in bytes; `nil` if there is none.
  var end: Int? { spans.map { $0.span.offset + $0.span.length }.max() }

  /// The text behind the last entry, up to 1000 bytes.
  var tail: [UInt8] {
    guard let end else { return [] }
    return (try? file.read(at: end, count: min(1000, max(0, file.size - end)))) ?? []
  }

  private static let chunkBytes = 256 * 1024

  /// The entry at a position in the order of times.
  package func entry(_ position: Int) throws(HAREntry.Problem) -> Exchange {
    let (index, span) = spans[position]
    guard span.length <= Self.entryLimit else {
      throw HAREntry.Problem(message: "an entry is larger than \(Self.entryLimit) bytes", isDamage: false)
    }
    let document: JSONDocument
    do {
      document = try JSONParser.parse(try file.read(at: span.offset, count: span.length))
    } catch let problem as TextProblem {
      throw HAREntry.Problem(
        message: "\(path):\(span.line): /log/entries/\(index) is not valid JSON: \(problem.message)", isDamage: true)
    } catch {
      throw HAREntry.Problem(
        message: "\(path):\(span.line): /log/entries/\(index) can no longer be read", isDamage: true)
    }
    return try HAREntry.read(document.root, index: index, line: span.line, column: span.column)
  }

  /// An entry without a time follows the entry before it.
  private static func sorted(_ spans: [HARScanner.Span]) -> [(index: Int, span: HARScanner.Span)] {
    var time = Int.min
    let timed = spans.enumerated().map { index, span in
      time = span.startedAt ?? time
      return (index: index, span: span, time: time)
    }
    return timed.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { ($0.index, $0.span) }
  }

  private static func creator(_ range: Range<Int>?, _ file: OpenFile) -> String? {
    guard let range, range.count <= 4096, let bytes = try? file.read(at: range.lowerBound, count: range.count) else {
      return nil
    }
    return (try? JSONParser.parse(bytes))?.root["name"]?.string
  }

  private static func problem(_ path: String, _ damage: HARScanner.Damage?, _ file: OpenFile) -> FileProblem {
    let help = "expected HAR 1.2: {\"log\": {\"entries\": [...]}} in UTF-8, as the network panel of a browser saves it"
    let start = (try? file.read(at: 0, count: 2)) ?? []
    if start == [0xFF, 0xFE] || start == [0xFE, 0xFF] {
      return FileProblem(.otherContent, path, "this is not a recording: it is in UTF-16", help: help)
    }
    let reason = damage.map { "line \($0.line): \($0.message)" } ?? "`log.entries` is missing"
    return FileProblem(.otherContent, path, "this is not a recording: \(reason)", help: help)
  }
}
