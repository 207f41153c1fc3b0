import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Prints what `schema check` finds, in one of its formats.
struct FindingWriter {
  let format: SchemaFormat
  let isQuiet: Bool
  let common: CommonOptions

  /// A finding that is no failure of a keyword.
  func write(_ diagnostic: Diagnostic, keyword: String? = nil) {
    guard !isQuiet else { return }
    switch format {
    case .text: Terminal.standardOutput.write(DiagnosticPrinter(style: common.standardOutput).text(diagnostic))
    case .json:
      let finding = DiagnosticJSON.value(diagnostic)
      let named = keyword.map { [("keyword", JSON.string($0))] } ?? []
      let line: JSON = .object(finding.members.map { ($0.name, $0.value) } + named)
      Terminal.standardOutput.write(JSONWriter.text(line) + "\n")
    case .basic, .detailed: common.report([diagnostic])
    }
  }

  /// A verdict as findings.
  func write(_ verdict: Schema.Verdict, of instance: JSON) {
    switch verdict {
    case .accepted: break
    case .refused(let failures):
      for failure in failures {
        let note = note("by `\(failure.keyword)` of the schema", failure.schema)
        let diagnostic = Diagnostic(
          .instanceSchema, failure.message, at: failure.location, notes: note, help: failure.help)
        write(diagnostic, keyword: failure.keyword)
      }
    case .notJudged(let reason):
      write(
        Diagnostic(
          .instanceNotJudged, reason.message, at: Location(start: instance),
          notes: note("this part of the schema", reason.schema), help: reason.help))
    }
  }

  private func note(_ message: String, _ schema: JSON) -> [Diagnostic.Note] {
    schema.range == nil ? [] : [Diagnostic.Note(message, at: Location(start: schema))]
  }

  /// A verdict in a standard output format, one document a line.
  func write(_ verdict: Schema.Verdict, of schema: LoadedSchema) {
    guard !isQuiet else { return }
    let output = SchemaOutput(of: schema.node, in: schema.library, base: Self.workingFolder)
    let document = format == .basic ? output.basic(verdict) : output.detailed(verdict)
    Terminal.standardOutput.write(JSONWriter.text(document) + "\n")
  }

  /// The working directory as a URI that relative paths can be resolved against.
  private static var workingFolder: String {
    guard let buffer = getcwd(nil, 0) else { return "file:///" }
    defer { free(buffer) }
    let path = String(cString: buffer)
    return "file://" + PercentEncoding.encode(path, keeping: "/") + (path == "/" ? "" : "/")
  }
}
