import Understudy

/// A file of values to be judged: one in JSON or YAML, or one a line; `-` is the standard input.
struct InstanceFile {
  /// One value, or the finding that says why it cannot be read.
  enum Instance {
    case value(JSONDocument)
    case unparsable(Diagnostic)
  }

  private let path: String
  private let isLines: Bool

  /// - Parameter isLines: Whether each line is a text of its own even if the extension does not say so.
  init(_ path: String, isLines: Bool) {
    self.path = path
    self.isLines = isLines || ["jsonl", "ndjson"].contains(Path.fileExtension(of: path))
  }

  /// Calls `body` with every value, one at a time.
  func forEach(_ body: (Instance) -> Void) throws(FileProblem) {
    let source =
      path == "-" ? try FileSystem.read("/dev/stdin", shownAs: "<stdin>") : try FileSystem.read(path)
    guard isLines else { return body(read(source)) }
    var start = 0
    var number = 1
    while start < source.bytes.count {
      let end = source.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? source.bytes.count
      let line = source.bytes[start..<end]
      if !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
        body(parse(SourceFile(path: source.path, bytes: Array(line), firstLine: number), JSONParser.parse))
      }
      start = end + 1
      number += 1
    }
  }

  private func read(_ source: SourceFile) -> Instance {
    // What calls itself JSON must be JSON: as YAML, `tru` would be a string.
    Path.fileExtension(of: path) == "json" ? parse(source, JSONParser.parse) : parse(source, TextDocument.read)
  }

  private func parse(
    _ source: SourceFile, _ parser: (SourceFile) throws(TextProblem) -> JSONDocument
  ) -> Instance {
    do throws(TextProblem) {
      return .value(try parser(source))
    } catch {
      return .unparsable(Diagnostic(.instanceUnparsable, error, in: source))
    }
  }
}
