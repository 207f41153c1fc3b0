import UnderstudyVerification

/// Prints the findings of `schema check` in one of its formats.
struct FindingWriter {
  let format: SchemaFormat
  let isQuiet: Bool
  let common: TerminalOptions

  /// Prints a finding.
  func write(_ diagnostic: Diagnostic, keyword: String? = nil) {
    guard !isQuiet else { return }
    switch format {
    case .text: Terminal.standardOutput.write(DiagnosticPrinter(style: common.standardOutput).text(diagnostic))
    case .json:
      let line = diagnostic.members(.line) + [("keyword", keyword.map(JSON.string))]
      Terminal.standardOutput.write(JSONWriter.text(.object(present: line)) + "\n")
    case .basic, .detailed: common.report([diagnostic])
    }
  }

  /// Prints a finding about the schema. An error is shown even with --quiet.
  func write(ofSchema problem: Diagnostic) {
    if isQuiet, problem.severity == .error { common.report([problem]) } else { write(problem) }
  }

  /// A verdict as findings.
  func write(_ verdict: SchemaVerdict, of instance: JSON) {
    switch verdict {
    case .accepted: break
    case .refused(let failures):
      for failure in failures { write(failure) }
    case .notValidated(let reason): write(reason)
    }
  }

  private func write(_ failure: SchemaFailure) {
    switch failure.kind {
    case .broken:
      let words = failure.keyword.isEmpty ? "by the schema" : "by `\(VisibleText.line(failure.keyword))` of the schema"
      let diagnostic = Diagnostic(
        .instanceSchema, failure.message, at: failure.location, notes: note(words, failure.schema), help: failure.help)
      write(diagnostic, keyword: failure.keyword)
    case .notValidated:
      write(
        Diagnostic(
          .instanceNotValidated, failure.message, at: failure.location,
          notes: note("this part of the schema", failure.schema), help: failure.help))
    case .more:
      let place = failure.value.document.source.map { Location(path: $0.path) }
      write(Diagnostic(.instanceSchema, failure.message, at: place, severity: .info))
    }
  }

  private func note(_ message: String, _ schema: JSON) -> [Diagnostic.Note] {
    schema.range == nil ? [] : [Diagnostic.Note(message, at: Location(start: schema))]
  }

  /// A verdict in a standard output format, one document a line.
  func write(_ verdict: SchemaVerdict, of schema: LoadedSchema, on instance: JSON) {
    guard !isQuiet else { return }
    let output = output(of: schema)
    var annotations = Annotations()
    if case .accepted = verdict { annotations = schema.compiled.annotations(of: instance, for: output) }
    write(format == .basic ? output.basic(verdict, annotations) : output.detailed(verdict, annotations))
    if let gap = annotations.gap {
      common.report([Diagnostic(.instanceAnnotations, gap, at: Location(start: instance))])
    }
  }

  /// Prints a finding, and a document in a standard output format for a value that cannot be read.
  func write(unreadable diagnostic: Diagnostic, of schema: LoadedSchema) {
    write(diagnostic)
    if format.isStandard { write(output(of: schema).failure(diagnostic.message)) }
  }

  private func output(of schema: LoadedSchema) -> SchemaOutput {
    let folder = PercentEncoding.encode(FileSystem.workingFolder ?? "/", keeping: "/")
    return SchemaOutput(of: schema.node, in: schema.library, base: "file://\(folder)\(folder == "/" ? "" : "/")")
  }

  private func write(_ document: JSON) {
    if !isQuiet { Terminal.standardOutput.write(JSONWriter.text(document) + "\n") }
  }
}
