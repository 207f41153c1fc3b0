import UnderstudyJSON
import UnderstudySockets
import UnderstudyText

/// The files of push messages in the fixtures folder of a contract, and the schema that they share.
struct PushFiles {
  /// The extension at the root of a contract: `x-understudy-push: {$ref: "#/components/schemas/Push"}`.
  static let key = "x-understudy-push"

  /// The maximum number of failures that are reported for a message.
  private static let failureLimit = 10

  private let folder: String
  let contract: CompiledContract

  /// - Parameter fixtures: The fixtures folder of the contract.
  init(of contract: CompiledContract, fixtures: String) {
    self.contract = contract
    folder = Path.join(fixtures, "_push")
  }

  private var files: [String] {
    let entries = (try? FileSystem.list(folder)) ?? []
    return entries.filter { !$0.isFolder && ["json", "yaml", "yml"].contains(Path.fileExtension(of: $0.name)) }
      .map { Path.join(folder, $0.name) }
  }

  /// Reads a message and validates it by the schema of the contract; `nil` if its file cannot be read. `name` has no
  /// extension, and `node` is the place in the scenario that names it.
  func message(_ name: String, at node: JSON, _ findings: inout MappingReader) -> PushMessage? {
    let files = files
    guard let path = files.first(where: { Path.stem(of: $0).utf8Equals(name) }) else {
      let known = files.map { Path.stem(of: $0) }
      findings.report(
        "no file of `_push` has the name `\(name)`", at: node,
        help: Suggestion.phrase(for: name, among: known)
          ?? (known.isEmpty ? "the folder has none" : "it has \(known.joined(separator: ", "))"))
      return nil
    }
    do {
      let content = try TextDocument.read(try FileSystem.read(path, within: contract.api.access)).root
      validate(content, name, &findings)
      return PushMessage(
        name: name, content: JSONValue(content), schema: schema.map { $0["$ref"]?.string ?? "#/\(Self.key)" })
    } catch let error as FileProblem {
      findings.add([Diagnostic(unreadableFixture: error)])
    } catch let error as TextProblem {
      findings.add([Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path))])
    } catch {
      findings.add([Diagnostic(.fixtureUnreadable, "\(error)", at: Location(path: path))])
    }
    return nil
  }

  private var schema: JSON? { contract.api.root[Self.key] }

  private func validate(_ content: JSON, _ name: String, _ findings: inout MappingReader) {
    guard let node = schema else { return }
    let schema = contract.schemas.schema(at: node, direction: .response)
    guard !schema.accepts(content) else { return }
    findings.add(
      schema.failures(content, limit: Self.failureLimit).map { failure in
        Diagnostic(
          .eventSchema, "the push message `\(name)`: \(failure.message)", at: Location(start: content),
          notes: .contract(failure.schema), help: failure.help
        ).owned(by: .fixture)
      })
  }
}
