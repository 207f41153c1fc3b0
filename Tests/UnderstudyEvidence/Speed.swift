import ArgumentParser
import Foundation
import UnderstudySchema
import UnderstudyVerification

/// A worker for `Benchmarks/schema`: reads one command per line and prints one line for each.
///
/// - `load NAME SCHEMA INSTANCE` prints whether the instance is valid.
/// - `accepts NAME MS` prints the nanoseconds of one validation of the parsed instance, measured over that many
///   milliseconds.
/// - `body NAME MS` does the same, and parses the instance's text each time.
/// - `parse FILE MS`, `foundation FILE MS`, `decoder FILE MS`: the nanoseconds of reading a JSON file.
struct Speed: ParsableCommand {
  func run() throws {
    var sets: [String: (schema: Schema, instance: JSON, text: [UInt8])] = [:]
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 3 else { continue }
      let milliseconds = Int(words[2]) ?? 100
      switch words[0] {
      case "load":
        let node = try TextDocument.read(FileSystem.read(words[2])).root
        let text = try FileSystem.read(words[3]).bytes
        let schema = SchemaLibrary(dialect: .draft2020, assertsFormats: .never).schema(at: node)
        let instance = try JSONParser.parse(text).root
        sets[words[1]] = (schema, instance, text)
        answer(schema.accepts(instance) ? "valid" : "invalid \(schema.failures(instance).first?.message ?? "")")
      case "accepts":
        guard let set = sets[words[1]] else { continue }
        answer(Self.nanoseconds(over: milliseconds) { set.schema.accepts(set.instance) })
      case "body":
        guard let set = sets[words[1]] else { continue }
        answer(
          Self.nanoseconds(over: milliseconds) {
            (try? JSONParser.parse(set.text)).map { set.schema.accepts($0.root) } ?? false
          })
      case "parse":
        let bytes = try FileSystem.read(words[1]).bytes
        answer(Self.nanoseconds(over: milliseconds) { (try? JSONParser.parse(bytes)) != nil })
      case "foundation":
        let data = Data(try FileSystem.read(words[1]).bytes)
        answer(Self.nanoseconds(over: milliseconds) { (try? JSONSerialization.jsonObject(with: data)) != nil })
      case "decoder":
        let data = Data(try FileSystem.read(words[1]).bytes)
        answer(Self.nanoseconds(over: milliseconds) { (try? JSONDecoder().decode(AnyValue.self, from: data)) != nil })
      default: answer("what?")
      }
    }
  }

  private func answer(_ text: Any) {
    print(text)
    fflush(nil)
  }

  /// The mean of as many runs as fit in the time, at least one; reads the clock rarely.
  private static func nanoseconds(over milliseconds: Int, _ body: () -> Bool) -> Double {
    let clock = ContinuousClock()
    var batch = 1
    var runs = 0
    let start = clock.now
    var elapsed = Duration.zero
    while elapsed < .milliseconds(milliseconds) {
      for _ in 0..<batch { guard body() else { return -1 } }
      runs += batch
      elapsed = clock.now - start
      if elapsed < .milliseconds(milliseconds / 10) { batch *= 2 }
    }
    return elapsed / .nanoseconds(1) / Double(runs)
  }
}

/// Any JSON value, for `JSONDecoder`.
enum AnyValue: Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([AnyValue])
  case object([String: AnyValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode([String: AnyValue].self) {
      self = .object(value)
    } else if let value = try? container.decode([AnyValue].self) {
      self = .array(value)
    } else {
      self = .null
    }
  }
}

/// Validates one instance many times without output, for `valgrind`: its counts of N and of 2 N runs differ by the cost
/// of N validations.
struct Repeat: ParsableCommand {
  @Argument var schema: String
  @Argument var instance: String
  @Argument var count: Int

  func run() throws {
    let schema = SchemaLibrary(dialect: .draft2020).schema(at: try TextDocument.read(FileSystem.read(schema)).root)
    let instance = try TextDocument.read(FileSystem.read(instance)).root
    for _ in 0..<count { guard schema.accepts(instance) else { throw ExitCode(1) } }
  }
}

/// The cost of compiling every schema of a description, compared with reading its text and loading it as a contract.
struct Compilation: ParsableCommand {
  @Argument var file: String
  @Option var rounds = 5

  func run() throws {
    let clock = ContinuousClock()
    let source = try FileSystem.read(file)
    var reading: [Duration] = []
    var loading: [Duration] = []
    var together: [Duration] = []
    var compiling: [Duration] = []
    var count = 0
    for _ in 0..<rounds {
      reading.append(try clock.measure { _ = try TextDocument.read(SourceFile(path: file, bytes: source.bytes)) })
      loading.append(clock.measure { _ = OpenAPIReader.read(file, from: DocumentStore()) })
      guard let description = Description(file) else {
        throw ValidationError("\(file) is not a Swagger or OpenAPI description")
      }
      let schemas = description.schemas
      guard let twin = Description(file) else { continue }
      let nodes = twin.schemas.map(\.node)
      together.append(clock.measure { twin.library.prepare(nodes, direction: .response) })
      compiling.append(
        clock.measure {
          for schema in schemas { _ = description.library.schema(at: schema.node, direction: .response) }
        })
      count = schemas.count
    }
    func milliseconds(_ durations: [Duration]) -> Double { durations.median / .milliseconds(1) }
    let (read, loaded) = (milliseconds(reading), milliseconds(loading))
    let (shared, compiled) = (milliseconds(together), milliseconds(compiling))
    print(
      "\(source.bytes.count) bytes read in \(read.hundredths) ms, as a contract in \(loaded.hundredths) ms; \(count) schemas "
        + "compiled together in \(shared.hundredths) ms (\((shared / read).hundredths) x the text, "
        + "\((shared / loaded).hundredths) x the contract), each alone at its first use in \(compiled.hundredths) ms "
        + "(\((compiled / Double(count) * 1000).hundredths) us a schema)")
  }
}
