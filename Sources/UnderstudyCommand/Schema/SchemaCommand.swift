import ArgumentParser
import UnderstudyVerification

/// `understudy schema`: operations on a JSON Schema.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Validate values by a schema, or generate valid or invalid values.",
    subcommands: [SchemaCheck.self, SchemaSample.self])
}

/// The schema and the way it is read.
struct SchemaOptions: ParsableArguments {
  @Argument(
    help: "The schema: a file in JSON or YAML, or a place in one, as in spec.yaml#/components/schemas/User.")
  var schema: String

  @Option(
    help: ArgumentHelp(
      "The dialect of a schema that does not name one: \(Dialect.names.joined(separator: ", ")). (default: 2020-12)",
      valueName: "dialect"))
  var dialect: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Another schema file, which references name by its `$id`. Nothing is fetched. Repeatable.",
      valueName: "file"))
  var resolve: [String] = []

  @Option(
    help: ArgumentHelp(
      "The direction of the value: in a request no readOnly property is required, in a response no writeOnly one.",
      valueName: "way"))
  var direction: Way?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Assert every format, or none. (default: those with a simple grammar, such as date-time)")
  var formatAssertion: Bool?

  @Flag(
    help:
      "Assert contentEncoding (base64, base32, base16), contentMediaType (JSON) and contentSchema (for JSON)."
  )
  var contentAssertion = false

  /// The values of `--direction`.
  enum Way: String, CaseIterable, ExpressibleByArgument {
    case request, response
  }

  var travels: Direction {
    switch direction {
    case .request: .request
    case .response: .response
    case nil: .either
    }
  }

  /// Finds the schema. Throws if there is none.
  ///
  /// - Parameter traces: Whether failures record their evaluation path.
  func load(traces: Bool = false, _ common: TerminalOptions) throws -> LoadedSchema {
    var reading = Dialect.draft2020
    if let dialect {
      guard let known = Dialect(named: dialect) else {
        throw CommandFailure(
          .usage, "`--dialect \(dialect)` is unknown",
          help: (Suggestion.phrase(for: dialect, among: Dialect.names).map { $0 + " " } ?? "")
            + "known: \(Dialect.names.joined(separator: ", "))")
      }
      reading = known
    }
    let files = SchemaFiles()
    for path in resolve { try files.add(path, common) }
    let (node, problem) = SchemaAddress(schema).find(in: files.store)
    guard let node else {
      common.report(problem.map { [$0] } ?? [])
      throw CommandFailure(.notLoadable)
    }
    let library = SchemaLibrary(
      dialect: reading, startingAt: node.document,
      assertsFormats: formatAssertion.map { $0 ? .always : .never } ?? .byDefaultTable,
      assertsContent: contentAssertion, traces: traces, loader: files.loader)
    let compiled = library.schema(at: node, direction: travels)
    let read = library.dialect(of: node)
    if let direction, let read, !read.knowsDirections {
      Terminal.standardError.write(
        "warning: `--direction \(direction.rawValue)` has no effect: the schema is read as \(read.name), not as OpenAPI\n"
      )
    }
    let problems = (problem.map { [$0] } ?? []) + compiled.problems
    return LoadedSchema(
      node: node, library: library, compiled: compiled,
      problems: problems + lint(in: node, readAs: read, besides: problems, files.store))
  }

  /// The findings of the linter that the compiler did not report.
  private func lint(
    in schema: JSON, readAs dialect: Dialect?, besides problems: [Diagnostic], _ store: DocumentStore
  ) -> [Diagnostic] {
    let reported = Set(problems.filter { $0.rule == .wrongKeywordValue }.map { $0.location?.description })
    return Linter.duplicateKeys(in: store)
      + Linter.lint(schema: schema, in: dialect, from: store).filter { !reported.contains($0.location?.description) }
  }
}

/// A schema with its problems.
struct LoadedSchema {
  let node: JSON
  let library: SchemaLibrary
  let compiled: Schema
  let problems: [Diagnostic]
}
