import ArgumentParser
import UnderstudyVerification

/// `understudy schema sample SCHEMA`: generates valid values, or values that violate one keyword.
struct SchemaSample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Generate valid values, or values that violate one keyword.",
    discussion: "Exit codes: 0 generated, 1 no such value exists or none was found, 2 usage, 3 no such schema.")

  @OptionGroup var options: SchemaOptions

  @Option(help: ArgumentHelp("The same seed gives the same bytes; 0 gives simple values.", valueName: "text"))
  var seed = "0"

  @Option(
    help:
      "The number of values. A single one is printed on several lines, more are printed one on each line. (default: 1)",
    transform: (1...100_000).number)
  var count = 1

  @Option(
    defaultAsFlag: SchemaSample.anyKeyword, parsing: .next,
    help: ArgumentHelp(
      "Generate values that violate one keyword, the given one if any. Standard error shows the keyword and the place. Name the schema before this option.",
      valueName: "keyword"))
  var invalid: String? = nil

  @OptionGroup var common: TerminalOptions

  private static let anyKeyword = "any"

  func run() throws {
    let schema = try options.load(common)
    common.report(schema.problems)
    guard let invalid else { return try printSamples(of: schema) }
    if invalid != Self.anyKeyword, Keyword.named(invalid) == nil {
      throw CommandFailure(
        .usage, "`--invalid \(invalid)` names an unknown keyword",
        help: Suggestion.phrase(for: invalid, among: Keyword.allCases.map(\.name))
          ?? "name the schema before `--invalid`")
    }
    try printInvalidSamples(of: schema, breaking: invalid == Self.anyKeyword ? nil : invalid)
  }

  /// The generator of the n-th value. The first value does not depend on the count.
  private func generator(_ position: Int, _ schema: LoadedSchema) -> SampleGenerator {
    SampleGenerator(schemas: schema.library, seed: position == 0 ? seed : "\(seed)/\(position)")
  }

  private func printSamples(of schema: LoadedSchema) throws {
    for position in 0..<count {
      let (value, conflict) = generator(position, schema).attempt(schema.node, direction: options.travels)
      guard let value else { throw impossible(schema, conflict) }
      write(value)
    }
  }

  private func printInvalidSamples(of schema: LoadedSchema, breaking keyword: String?) throws {
    let (sample, conflict) = generator(0, schema).attempt(schema.node, direction: options.travels)
    guard sample != nil else { throw impossible(schema, conflict) }
    var made = Set<[UInt8]>()
    var others: Set<String> = []
    // Further seeds give further values, until one gives no new value.
    var position = 0
    while made.count < count {
      let samples = generator(position, schema).invalidSamples(of: schema.node, direction: options.travels)
      others.formUnion(samples.map(\.keyword))
      let fresh = samples.filter { keyword == nil || $0.keyword == keyword }.filter {
        made.count < count && made.insert(JSONWriter.bytes($0.value)).inserted
      }
      for sample in fresh {
        write(sample.value)
        Terminal.standardError.write(sentence(about: sample, schema))
      }
      guard !fresh.isEmpty else { break }
      position += 1
    }
    guard made.isEmpty else {
      if made.count < count {
        Terminal.standardError.write("only \(made.count) of \(count) values: further seeds give no new values\n")
      }
      return
    }
    guard !generator(0, schema).acceptsEverything(schema.node, direction: options.travels) else {
      throw CommandFailure(.findings, "every value is valid, so no value can violate the schema")
    }
    let known = others.isEmpty ? nil : "these can be violated alone: \(others.sorted().joined(separator: ", "))"
    throw CommandFailure(
      .findings,
      keyword.map { "no value was found that violates `\($0)` alone" }
        ?? "no value was found that violates one keyword alone",
      help: known)
  }

  private func sentence(about sample: InvalidSample, _ schema: LoadedSchema) -> String {
    let failure = schema.compiled.failures(sample.value).first {
      $0.keyword == sample.keyword && $0.instance == sample.instance
    }
    let place = failure.map { Location($0.schema).description + ": " } ?? ""
    let instance = sample.instance.tokens.isEmpty ? "the whole value" : "`\(sample.instance)`"
    return "\(place)\(instance) violates `\(sample.keyword)`: \(DiagnosticPrinter.visible(failure?.message ?? ""))\n"
  }

  private func write(_ value: JSON) {
    Terminal.standardOutput.write(JSONWriter.text(value, count == 1 ? .pretty : .compact) + "\n")
  }

  /// Reports the keywords that exclude each other, or the reason why the search ended.
  private func impossible(_ schema: LoadedSchema, _ conflict: SampleConflict?) -> CommandFailure {
    guard let conflict else { return CommandFailure(.findings, SampleConflict.givenUp) }
    let places = conflict.keywords.isEmpty ? [conflict.schema ?? schema.node] : conflict.keywords
    guard conflict.isProof else {
      // The schema may be valid, so this is not a finding.
      return CommandFailure(
        .findings, "\(SampleConflict.givenUp): \(conflict.reason)", help: "see \(Location(start: places[0]))")
    }
    let notes = places.dropFirst().map { Diagnostic.Note("and this", at: Location(start: $0)) }
    common.report([
      Diagnostic(
        .specSchemaUnsatisfiable, "no value is possible: \(conflict.reason)", at: Location(start: places[0]),
        severity: .error, notes: Array(notes))
    ])
    return CommandFailure(.findings)
  }
}
