package import UnderstudySockets
import UnderstudyText

/// The sockets and streams that a contract declares, with the fixtures of their events.
package struct SocketContract: Sendable {
  package let descriptions: [SocketDescription]
  /// Lists of arguments by the names of files without extension.
  package let fixtures: [String: JSON]
  package private(set) var diagnostics: [Diagnostic] = []

  /// The folder of the fixtures of events, below that of a contract's fixtures.
  package static func folder(of fixtures: String) -> String { Path.join(fixtures, "_events") }

  /// Reads `x-understudy-events` at the root of a contract.
  ///
  /// - Parameter folder: That of the contract's fixtures; empty without one.
  package init(of api: API, fixtures folder: String) {
    var reader = SocketReader()
    descriptions = api.root[SocketReader.key].map { reader.descriptions($0) } ?? []
    diagnostics = reader.problems.map(Diagnostic.init)
    var fixtures: [String: JSON] = [:]
    let files = folder.isEmpty ? [] : (try? FileSystem.list(Self.folder(of: folder))) ?? []
    for file in files where !file.isFolder && Path.fileExtension(of: file.name) == "json" {
      let path = Path.join(Self.folder(of: folder), file.name)
      let name = Path.stem(of: path)
      do {
        let value = try TextDocument.read(try FileSystem.read(path, onlyRegular: true)).root
        fixtures[name] = Self.isList(name, descriptions) ? value : .array([value])
      } catch let error as TextProblem {
        diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path)))
      } catch {
        diagnostics.append(Diagnostic(.fixtureUnreadable, "\(error)", at: Location(path: path)))
      }
    }
    self.fixtures = fixtures
    diagnostics += Self.problems(of: descriptions.flatMap(\.rules), api, Set(fixtures.keys))
  }

  /// The operations and fixtures that rules name, and that are not there.
  ///
  /// - Parameter fixtures: The names of the files in `_events`.
  static func problems(of rules: [SocketRule], _ api: API, _ fixtures: Set<String>) -> [Diagnostic] {
    rules.flatMap { rule -> [Diagnostic] in
      var found: [Diagnostic] = []
      if let (name, node) = rule.operationName, api.operation(name) == nil {
        found.append(
          Diagnostic(
            .fixtureOperationUnknown, "no operation is called `\(name)`", at: Location(start: node),
            help: Suggestion.phrase(for: name, among: api.operations.map(\.id)) ?? "`understudy routes` lists them"))
      }
      for name in rule.fixtures where !fixtures.contains(name) {
        found.append(
          Diagnostic(
            .fixtureInvalid, "no file of `_events` has the name `\(name)`", at: Location(start: rule.node),
            help: Suggestion.phrase(for: name, among: fixtures.sorted())
              ?? (fixtures.isEmpty ? "the folder has none" : "it has \(fixtures.sorted().joined(separator: ", "))")))
      }
      return found
    }
  }

  /// The names of the files of events.
  ///
  /// - Parameter folder: That of the contract's fixtures.
  static func fixtureNames(in folder: String) -> Set<String> {
    let files = folder.isEmpty ? [] : (try? FileSystem.list(Self.folder(of: folder))) ?? []
    return Set(
      files.filter { !$0.isFolder && Path.fileExtension(of: $0.name) == "json" }.map { Path.stem(of: $0.name) })
  }

  /// Whether a fixture is the list of all arguments: an event with one argument has that as its fixture.
  private static func isList(_ name: String, _ descriptions: [SocketDescription]) -> Bool {
    let event = descriptions.flatMap(\.events).first { name == $0.name || name.hasPrefix($0.name + ".") }
    return event.map { $0.arguments.count > 1 } ?? false
  }
}

extension SocketContract {
  /// The number of declared events and rules.
  package var count: Int { descriptions.reduce(0) { $0 + $1.events.count + $1.rules.count } }

  /// Whether the contract neither declares sockets nor has files of events.
  package var isEmpty: Bool { descriptions.isEmpty && fixtures.isEmpty && diagnostics.isEmpty }
}

extension Diagnostic {
  /// A mistake in a declaration of sockets, or in the rules of a scenario.
  init(_ problem: SocketReader.Problem) {
    self.init(.fixtureInvalid, problem.message, at: Location(start: problem.node), help: problem.help)
  }
}

extension SocketRule {
  /// The operation that it waits for.
  var operationName: (String, JSON)? {
    if case .operation(let name, _) = trigger { (name, node) } else { nil }
  }
}
