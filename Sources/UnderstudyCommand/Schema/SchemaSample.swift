import ArgumentParser
import JSONSchema
import Understudy

/// `understudy schema sample SCHEMA`: makes values that fit, or miss by one keyword.
struct SchemaSample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Make values that fit a schema, or that miss it by one keyword.",
    discussion: "Exit codes: 0 made, 1 no such value exists or none was found, 2 usage, 3 no such schema.")

  @OptionGroup var options: SchemaOptions

  @Option(help: ArgumentHelp("The same seed gives the same bytes; 0 gives plain values.", valueName: "text"))
  var seed = "0"

  @Option(help: "How many: one is printed over several lines, more are printed one a line.")
  var count = 1

  @Option(
    defaultAsFlag: SchemaSample.anyKeyword, parsing: .next,
    help: ArgumentHelp(
      "Make values that break one keyword, the given one if any; standard error says which one breaks where. The word behind is taken for a keyword: name the schema before.",
      valueName: "keyword"))
  var invalid: String? = nil

  @OptionGroup var common: TerminalOptions

  private static let anyKeyword = "any"
  private static let maximumCount = 100_000

  func run() throws {
    guard 1...Self.maximumCount ~= count else {
      throw CommandFailure(.usage, "`--count \(count)` is out of range", help: "expected 1 to \(Self.maximumCount)")
    }
    let schema = try options.load(common)
    common.report(schema.problems)
    guard let invalid else { return try printSamples(of: schema) }
    if invalid != Self.anyKeyword, Keyword.named(invalid) == nil {
      throw CommandFailure(
        .usage, "`--invalid \(invalid)` names no keyword",
        help: Suggestion.phrase(for: invalid, among: Keyword.allCases.map(\.name))
          ?? "a schema is named before `--invalid`")
    }
    try printInvalidSamples(of: schema, breaking: invalid == Self.anyKeyword ? nil : invalid)
  }

  /// The generator of the n-th value; the first does not depend on how many follow.
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
    // Further seeds give further values, until one gives nothing new.
    var position = 0
    while made.count < count {
      let misses = generator(position, schema).invalidSamples(of: schema.node, direction: options.travels)
      others.formUnion(misses.map(\.keyword))
      let fresh = misses.filter { keyword == nil || $0.keyword == keyword }.filter {
        made.count < count && made.insert(JSONWriter.bytes($0.value)).inserted
      }
      for miss in fresh {
        write(miss.value)
        Terminal.standardError.write(sentence(about: miss, schema))
      }
      guard !fresh.isEmpty else { break }
      position += 1
    }
    guard made.isEmpty else {
      if made.count < count {
        Terminal.standardError.write("only \(made.count) of \(count) values: further seeds give nothing new\n")
      }
      return
    }
    guard !generator(0, schema).acceptsEverything(schema.node, direction: options.travels) else {
      throw CommandFailure(.findings, "every value fits this schema, so nothing can miss it")
    }
    let known = others.isEmpty ? nil : "these can be broken alone: \(others.sorted().joined(separator: ", "))"
    throw CommandFailure(
      .findings,
      keyword.map { "no value was found that breaks `\($0)` alone" }
        ?? "no value was found that breaks one keyword alone",
      help: known)
  }

  private func sentence(about miss: InvalidSample, _ schema: LoadedSchema) -> String {
    let failure = schema.compiled.failures(miss.value).first {
      $0.keyword == miss.keyword && $0.instance == miss.instance
    }
    let place = failure.map { Location($0.schema).description + ": " } ?? ""
    let instance = miss.instance.tokens.isEmpty ? "the whole value" : "`\(miss.instance)`"
    return "\(place)\(instance) breaks `\(miss.keyword)`: \(DiagnosticPrinter.visible(failure?.message ?? ""))\n"
  }

  private func write(_ value: JSON) {
    Terminal.standardOutput.write(JSONWriter.text(value, count == 1 ? .pretty : .compact) + "\n")
  }

  /// Reports which keywords exclude each other, or what the search ran into.
  private func impossible(_ schema: LoadedSchema, _ conflict: SampleConflict?) -> CommandFailure {
    guard let conflict else { return CommandFailure(.findings, SampleConflict.givenUp) }
    let places = conflict.keywords.isEmpty ? [conflict.schema ?? schema.node] : conflict.keywords
    guard conflict.isProof else {
      // Nothing is known to be wrong with the schema, so this is no finding about it.
      return CommandFailure(
        .findings, "\(SampleConflict.givenUp): \(conflict.reason)", help: "see \(Location(start: places[0]))")
    }
    let notes = places.dropFirst().map { Diagnostic.Note("and this", at: Location(start: $0)) }
    common.report([
      Diagnostic(
        .specSchemaUnsatisfiable, "no value can be made: \(conflict.reason)", at: Location(start: places[0]),
        severity: .error, notes: Array(notes))
    ])
    return CommandFailure(.findings)
  }
}
