import ArgumentParser
import UnderstudySchema
import UnderstudyVerification

/// Checks for every schema that all samples are valid and all invalid samples break their keyword.
///
/// A separate schema library validates the values again, so that it does not share compiled programs. Exits with 1 if
/// any result differs from that of the generator; lists schemas without a sample by reason.
struct Properties: ParsableCommand {
  @Argument(help: "Descriptions, or folders of them.") var paths: [String]
  @Option(help: "Samples and invalid samples per schema.") var count = 20
  @Flag(help: "Only the totals, and the schemas without a sample.") var quiet = false

  func run() throws {
    var total = Tally()
    var files = 0
    for path in paths.flatMap(Description.all) {
      guard let description = Description(path), let validator = Description(path) else { continue }
      files += 1
      var tally = Tally()
      let clock = ContinuousClock()
      let elapsed = clock.measure {
        for (schema, twin) in zip(description.schemas, validator.schemas) {
          check(schema, description.library, twin.node, validator.library, path, &tally)
        }
      }
      if !quiet { print("\(path): \(tally.summary), \((elapsed / .milliseconds(1)).rounded()) ms") }
      total.add(tally)
    }
    print("\(files) descriptions: \(total.summary)")
    total.printReasons("without a sample", total.unsampled)
    total.printReasons("without an invalid sample", total.unmissed)
    for wrong in total.wrong { print("WRONG \(wrong)") }
    if !total.wrong.isEmpty { throw ExitCode(1) }
  }

  private func check(
    _ schema: Description.NamedSchema, _ library: SchemaLibrary, _ twin: JSON, _ validates: SchemaLibrary,
    _ path: String,
    _ tally: inout Tally
  ) {
    let node = schema.node
    tally.schemas += 1
    let validator = validates.schema(at: twin)
    var misses = 0
    for seed in 0..<count {
      let generator = SampleGenerator(schemas: library, seed: String(seed))
      guard let sample = generator.sample(of: node, direction: .either) else {
        let reason = generator.conflict(of: node)?.description ?? "none"
        tally.unsampled[Self.kind(of: reason), default: []].append("\(path)\(schema.name), seed \(seed): \(reason)")
        break
      }
      tally.samples += 1
      if !validator.accepts(sample) {
        tally.wrong.append("\(path)\(schema.name), seed \(seed): refuses its sample \(JSONWriter.text(sample))")
      }
      guard misses < count else { continue }
      for miss in generator.invalidSamples(of: node, direction: .either).prefix(count - misses) {
        misses += 1
        let failures = validator.failures(miss.value)
        let isNamed = failures.contains { $0.keyword == miss.keyword && $0.instance == miss.instance }
        if validator.accepts(miss.value) || !isNamed {
          tally.wrong.append(
            "\(path)\(schema.name), seed \(seed): `\(miss.keyword)` at \(miss.instance) is not broken by "
              + JSONWriter.text(miss.value))
        }
      }
      // More seeds do not help a schema that accepts everything.
      if misses == 0, seed == 2 { misses = .max }
    }
    if misses == 0 || misses == .max {
      guard tally.unsampled.values.allSatisfy({ $0.last?.hasPrefix("\(path)\(schema.name), ") != true }) else { return }
      let plainValues: [JSON] = ["text", 1, -7, true, .make { $0.append(.null) }, [], [:], ["a": [1]], [1, "a"]]
      let reason =
        plainValues.allSatisfy { validator.accepts($0) }
        ? "accepts everything" : "no value was found that breaks one keyword"
      tally.unmissed[reason, default: []].append("\(path)\(schema.name)")
    } else {
      tally.misses += misses
      if misses < count { tally.few += 1 }
    }
  }

  /// The reason without the details of the schema: names, numbers, the place.
  private static func kind(of reason: String) -> String {
    var kind = ""
    var isQuoted = false
    for scalar in reason.unicodeScalars {
      if scalar == "(" { break }
      if scalar == "`" {
        isQuoted.toggle()
        if !isQuoted { kind += "_" }
      } else if !isQuoted {
        kind.unicodeScalars.append("0"..."9" ~= scalar ? "0" : scalar)
      }
    }
    return kind
  }
}

/// The totals of one or more descriptions.
struct Tally {
  var schemas = 0
  var samples = 0
  var misses = 0
  /// Schemas with fewer invalid samples than requested.
  var few = 0
  var wrong: [String] = []
  var unsampled: [String: [String]] = [:]
  var unmissed: [String: [String]] = [:]

  var summary: String {
    let unsampled = self.unsampled.values.reduce(0) { $0 + $1.count }
    let unmissed = self.unmissed.values.reduce(0) { $0 + $1.count }
    return
      "\(schemas) schemas, \(samples) samples, \(misses) invalid samples, \(wrong.count) wrong; \(unsampled) without a "
      + "sample, \(unmissed) without an invalid sample, \(few) with few"
  }

  mutating func add(_ other: Tally) {
    schemas += other.schemas
    samples += other.samples
    misses += other.misses
    few += other.few
    wrong += other.wrong
    unsampled.merge(other.unsampled, uniquingKeysWith: +)
    unmissed.merge(other.unmissed, uniquingKeysWith: +)
  }

  func printReasons(_ title: String, _ reasons: [String: [String]]) {
    for (reason, places) in reasons.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
      print("\(title): \(places.count) x \(reason)")
      for place in places.prefix(reason == "accepts everything" ? 0 : 400) { print("  \(place)") }
    }
  }
}
