import UnderstudyVerification

/// A file of values: one in JSON or YAML, or one on each line. `-` is standard input.
struct InstanceFile {
  /// A value, or the reason why there is none.
  enum Instance {
    /// With a warning if the text is ambiguous.
    case value(JSONDocument, Diagnostic?)
    case unparsable(Diagnostic)
    /// The value exceeds a limit of this program.
    case notValidated(Diagnostic)
  }

  private let path: String
  private let isLines: Bool

  /// - Parameter isLines: Whether each line is a value, regardless of the extension.
  init(_ path: String, isLines: Bool) {
    self.path = path
    self.isLines = isLines || ["jsonl", "ndjson"].contains(Path.fileExtension(of: path))
  }

  /// Whether the path is standard input, which can be read only once.
  static func isStandardInput(_ path: String) -> Bool { path == "-" || path == "/dev/stdin" }

  private var shown: String { path == "-" ? "<stdin>" : path }
  private var opened: String { path == "-" ? "/dev/stdin" : path }

  /// Calls `body` with each value. A file of lines is not read as a whole.
  func forEach(_ body: (Instance) -> Void) throws(FileProblem) {
    guard isLines else { return body(try read(FileSystem.read(opened, shownAs: shown))) }
    var lines = try LineReader(opened, shownAs: shown)
    while let line = try lines.next() {
      guard !Self.isBlank(line) else { continue }
      body(parse(SourceFile(path: shown, bytes: line, firstLine: lines.number), JSONParser.parse))
    }
  }

  private func read(_ source: SourceFile) throws(FileProblem) -> Instance {
    guard !Self.isBlank(source.bytes) else { throw empty }
    // A `.json` file is not read as YAML, in which `tru` would be a string.
    switch Path.fileExtension(of: path) {
    case "json": return parse(source, JSONParser.parse)
    case "yaml", "yml": return try checked(parse(source, TextDocument.read))
    default: return try readUnnamed(source)
    }
  }

  /// Reads JSON, else YAML, with a warning if that may be a mistake.
  private func readUnnamed(_ source: SourceFile) throws(FileProblem) -> Instance {
    let problem: TextProblem
    do throws(TextProblem) {
      return .value(try JSONParser.parse(source), nil)
    } catch {
      problem = error
    }
    let isBroken = Self.beginsLikeJSON(source.bytes)
    let help = Self.isJSONLines(source.bytes) ? "with --jsonl each line is a value" : problem.help
    let refusal = refusal(TextProblem(problem.kind, problem.message, at: problem.range, help: help), source)
    if problem.kind == .limit || problem.kind == .encoding { return refusal }
    let asYAML = try checked(parse(source, YAMLReader.parse))
    guard case .value(let document, _) = asYAML else { return isBroken ? refusal : asYAML }
    let root = document.root
    guard isBroken || root.isString && !Self.isQuoted(root, in: source) else { return asYAML }
    let what =
      isBroken ? "read as YAML, since it is not valid JSON: \(problem.message)" : "read as the YAML \(root.shown)"
    let location = isBroken ? Location(source, problem.range) : Location(root)
    return .value(
      document, Diagnostic(.instanceBareText, what, at: location, help: help ?? "name a JSON file `.json`"))
  }

  /// Throws for a text that has only comments.
  private func checked(_ instance: Instance) throws(FileProblem) -> Instance {
    if case .value(let document, _) = instance, document.root.isNull, document.root.range?.isEmpty == true {
      throw empty
    }
    return instance
  }

  private var empty: FileProblem {
    FileProblem(.otherContent, shown, "no value: the text is empty", help: "write `null` to validate null")
  }

  private func parse(
    _ source: SourceFile, _ parser: (SourceFile) throws(TextProblem) -> JSONDocument
  ) -> Instance {
    do throws(TextProblem) {
      return .value(try parser(source), nil)
    } catch {
      return refusal(error, source)
    }
  }

  private func refusal(_ problem: TextProblem, _ source: SourceFile) -> Instance {
    guard problem.kind == .limit else { return .unparsable(Diagnostic(.instanceUnparsable, problem, in: source)) }
    return .notValidated(
      Diagnostic(
        .instanceNotValidated, "not validated: \(problem.message)", at: Location(source, problem.range),
        help: "this is a limit of understudy, not of JSON or YAML"))
  }

  // MARK: - Detection

  private static func isBlank(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  private static func beginsLikeJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Whether each of the first two lines is a value, as in a file of lines.
  private static func isJSONLines(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2).prefix(2)
    return lines.count == 2 && lines.allSatisfy { (try? JSONParser.parse(Array($0))) != nil }
  }

  /// Whether the string has quotes, a block indicator or a tag.
  private static func isQuoted(_ string: JSON, in source: SourceFile) -> Bool {
    guard let range = string.range, source.bytes.indices.contains(range.lowerBound) else { return true }
    return Array("\"'|>!".utf8).contains(source.bytes[range.lowerBound])
  }
}

extension JSON {
  /// `string "abc"`, shortened.
  fileprivate var shown: String {
    let text = DiagnosticPrinter.visible(String(text.prefix(40)))
    return "string \"\(text)\(self.text.count > 40 ? "..." : "")\""
  }
}
