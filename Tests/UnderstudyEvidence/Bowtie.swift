import ArgumentParser
import UnderstudySchema

/// `UnderstudyEvidence bowtie`: the harness of the public meta-suite Bowtie (https://bowtie.report), on standard input and
/// output.
struct Bowtie: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Speak IHOP, the protocol of the Bowtie harness.")

  @Flag(help: "Assert every format; the protocol cannot request it.")
  var formatAssertion = false

  @Flag(help: "Assert the content keywords; the protocol cannot request it.")
  var contentAssertion = false

  func run() throws {
    var session = BowtieSession(assertsFormats: formatAssertion, assertsContent: contentAssertion)
    while let line = readLine() {
      guard let reply = try session.reply(to: line) else { return }
      print(JSONWriter.text(reply))
    }
  }
}

/// A session in version 1 of IHOP: each line is a command, and has an answer of one line.
struct BowtieSession {
  private let assertsFormats: Bool
  private let assertsContent: Bool
  /// `nil` after an unknown dialect, until the next `dialect` command.
  private var dialect: Dialect? = .draft2020

  init(assertsFormats: Bool, assertsContent: Bool) {
    self.assertsFormats = assertsFormats
    self.assertsContent = assertsContent
  }

  /// The answer to a line; `nil` ends the session. An invalid line is answered with an error. Another version of the
  /// protocol ends the command.
  mutating func reply(to line: String) throws(ValidationError) -> JSON? {
    let command: JSON
    do throws(TextProblem) {
      command = try JSONParser.parse(Array(line.utf8)).root
    } catch {
      return Self.errored("the line is not valid JSON: \(error.message)")
    }
    switch command["cmd"]?.string {
    case "start":
      guard command["version"]?.int == 1 else {
        throw ValidationError("expected version 1 of the protocol")
      }
      return ["version": 1, "implementation": Self.implementation]
    case "dialect":
      dialect = command["dialect"]?.string.flatMap { Dialect(uri: $0) }
      return ["ok": JSON(booleanLiteral: dialect != nil)]
    case "run": return run(command)
    case "stop": return nil
    case let other:
      let found = other.map { "`\($0)`" } ?? "none"
      return Self.errored("expected a `cmd` of start, dialect, run or stop, found \(found)", seq: command["seq"])
    }
  }

  private func run(_ command: JSON) -> JSON {
    guard let schema = command["case"]?["schema"], let tests = command["case"]?["tests"], tests.isArray else {
      return Self.errored("expected a `case` with `schema` and `tests`", seq: command["seq"])
    }
    guard let dialect else { return Self.errored("unknown dialect", seq: command["seq"]) }
    var documents: [String: JSONDocument] = [:]
    for member in command["case"]?["registry"]?.members.map({ $0 }) ?? [] {
      documents[URIReference(member.name).withoutFragment.description] = JSON.make { $0.append(member.value) }.document
    }
    let known = documents
    let library = SchemaLibrary(
      dialect: dialect, assertsFormats: assertsFormats ? .always : .never, assertsContent: assertsContent,
      load: { known[$0] })
    // As its own document, so that pointers do not start at the command.
    let compiled = library.schema(at: JSON.make { $0.append(schema) })
    let results = tests.elements.map { test -> JSON in
      guard let instance = test["instance"] else { return Self.errored("the test has no `instance`") }
      return switch compiled.verdict(instance, limit: 1) {
      case .accepted: ["valid": true]
      case .refused: ["valid": false]
      case .notValidated(let reason): Self.errored(reason.message)
      }
    }
    return ["seq": command["seq"] ?? .null, "results": .array(results)]
  }

  private static func errored(_ message: String, seq: JSON? = nil) -> JSON {
    .object(("seq", seq), ("errored", true), ("context", ["message": .string(message)]))
  }

  private static let implementation: JSON = [
    "language": "swift", "name": "understudy",
    // The protocol requires addresses, and the project has no public one.
    "homepage": "urn:understudy", "issues": "urn:understudy:issues", "source": "urn:understudy:source",
    "dialects": [
      "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema",
      "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-06/schema#",
      "http://json-schema.org/draft-04/schema#",
    ],
  ]
}
