import ArgumentParser
import UnderstudyVerification

/// `understudy schema check SCHEMA INSTANCE...`: validates values by a schema.
struct SchemaCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate values by a schema.",
    discussion: """
      Exit codes: 0 all values are valid, 1 some are not or the schema has errors, 2 usage or a value's file cannot be read, \
      3 no such schema, 4 no value was validated.

      A value nested deeper than 1,000 levels or larger than 64 MiB is not validated. In JSON Lines this applies to each line.
      """)

  @OptionGroup var options: SchemaOptions

  @Argument(
    help:
      "The values: files in JSON, YAML or JSON Lines (.jsonl, .ndjson: one value on each line); - is standard input.")
  var instance: [String]

  @Flag(help: "Read every file as JSON Lines, with any name.")
  var jsonl = false

  @Option(
    help: ArgumentHelp(
      """
      text, json (one finding on each line), or a standard output format of JSON Schema: basic, detailed (one document for each \
      value, with errors or annotations).
      """,
      valueName: "format"))
  var format: SchemaFormat = .text

  @Flag(name: .shortAndLong, help: "Show only the summary and the errors of the schema.")
  var quiet = false

  @OptionGroup var common: TerminalOptions

  /// The most findings shown for each value.
  private static let shown = 100
  /// The most failures of a value in a standard output format.
  private static let listed = 1_000

  func run() throws {
    guard instance.count(where: InstanceFile.isStandardInput) < 2 else {
      throw CommandFailure(
        .usage, "standard input is named twice, and can be read only once", help: "with --jsonl it may hold many values"
      )
    }
    let schema = try options.load(traces: format.isStandard, common)
    var tally = Tally()
    let writer = FindingWriter(format: format, isQuiet: quiet, common: common)
    for var problem in schema.problems {
      // An ignored keyword makes the verdict incomplete, so it is an error.
      if problem.rule == .wrongKeywordValue, problem.severity != .info { problem.severity = .error }
      if problem.severity == .error { tally.problems += 1 }
      writer.write(ofSchema: problem)
    }
    for path in instance {
      do throws(FileProblem) {
        try InstanceFile(path, isLines: jsonl).forEach { validate($0, by: schema, writer, &tally) }
      } catch {
        tally.unreadable += 1
        let problem = Diagnostic(
          .configUnreadable, error.message, at: Location(path: error.path), help: error.help)
        format.isStandard ? writer.write(unreadable: problem, of: schema) : common.report([problem])
      }
    }
    Terminal.standardError.write(tally.summary)
    if let code = tally.exitCode { throw CommandFailure(code) }
  }

  private func validate(
    _ instance: InstanceFile.Instance, by schema: LoadedSchema, _ writer: FindingWriter, _ tally: inout Tally
  ) {
    switch instance {
    case .unparsable(let diagnostic):
      tally.checked += 1
      tally.invalid += 1
      writer.write(unreadable: diagnostic, of: schema)
    case .notValidated(let diagnostic):
      tally.notValidated += 1
      writer.write(unreadable: diagnostic, of: schema)
    case .value(let document, let warning):
      if let warning { writer.write(warning) }
      for duplicate in document.duplicates {
        guard let source = document.source else { continue }
        writer.write(Diagnostic(.instanceDuplicateKey, duplicate, in: source))
      }
      let verdict = schema.compiled.verdict(document.root, limit: format.isStandard ? Self.listed : Self.shown)
      tally.count(verdict)
      if format.isStandard {
        writer.write(verdict, of: schema, on: document.root)
      } else {
        writer.write(verdict, of: document.root)
      }
    }
  }
}

/// The formats of `schema check`.
enum SchemaFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, basic, detailed

  /// Whether it is one of JSON Schema's own.
  var isStandard: Bool { self == .basic || self == .detailed }
}

/// The results of all values.
struct Tally {
  var checked = 0
  var invalid = 0
  var notValidated = 0
  /// The number of files that could not be read.
  var unreadable = 0
  /// The number of errors of the schema.
  var problems = 0

  mutating func count(_ verdict: SchemaVerdict) {
    switch verdict {
    case .accepted: checked += 1
    case .refused:
      checked += 1
      invalid += 1
    case .notValidated: notValidated += 1
    }
  }

  var summary: String { "checked: \(checked), invalid: \(invalid), not validated: \(notValidated)\n" }

  /// `nil` if all values are valid.
  var exitCode: ExitCode? {
    if unreadable > 0 { return .usage }
    if checked == 0 { return .nothingChecked }
    return invalid + notValidated + problems > 0 ? .findings : nil
  }
}
