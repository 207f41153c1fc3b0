import UnderstudySockets
package import UnderstudyText

/// The arguments of an event, from a file in `_events`: `chat.json`, `chat.withoutId.yaml`.
package struct EventFixture: Sendable {
  /// The name of the file without the extension.
  package let name: String
  package let source: SourceFile
  package let arguments: [JSON]
  /// The rules that it breaks on purpose, with their places.
  package let violates: [(rule: Rule, node: JSON)]

  /// Whether the arguments are filled when the event is emitted.
  package var hasTemplates: Bool { arguments.contains { JSONWriter.text($0).contains("{{") } }

  /// The names of the files of events, without their extensions; `folder` is `_events`.
  static func names(in folder: String) -> Set<String> { Set(files(in: folder).map { Path.stem(of: $0) }) }

  static func files(in folder: String) -> [String] {
    let entries = (try? FileSystem.list(folder)) ?? []
    return entries.filter { !$0.isFolder && ["json", "yaml", "yml"].contains(Path.fileExtension(of: $0.name)) }
      .map { Path.join(folder, $0.name) }
  }
}

struct EventFixtureReader {
  private var findings = MappingReader.fixtures
  private(set) var fixtures: [EventFixture] = []
  /// Whether the value of a file without keys of its own is the list of all arguments.
  private let isList: (String) -> Bool

  private enum Key: String, CaseIterable { case summary, argument, arguments, violates }

  var diagnostics: [Diagnostic] { findings.all }

  init(_ folder: String, within access: FileAccess, isList: @escaping (String) -> Bool) {
    self.isList = isList
    for path in EventFixture.files(in: folder) {
      let name = Path.stem(of: path)
      if fixtures.contains(where: { $0.name == name }) {
        findings.add(
          Diagnostic(
            .fixtureDuplicate, "another file has the name `\(name)`", at: Location(path: path),
            help: "remove one of them, or give it another name"))
        continue
      }
      do {
        let source = try FileSystem.read(path, within: access)
        guard let fixture = read(name, source, try TextDocument.read(source)) else { continue }
        for name in fixture.arguments.flatMap(SocketTemplate.unknownNames) {
          findings.report(
            .fixtureTemplateUnknown, "nothing gives `{{\(name.text)}}` a value, so it renders as nothing",
            at: name.node, help: name.help)
        }
        fixtures.append(fixture)
      } catch let error as TextProblem {
        findings.add(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path)))
      } catch let error as FileProblem {
        findings.add(Diagnostic(unreadableFixture: error))
      } catch {
        findings.add(Diagnostic(.fixtureUnreadable, "\(error)", at: Location(path: path)))
      }
    }
  }

  private mutating func read(_ name: String, _ source: SourceFile, _ document: JSONDocument) -> EventFixture? {
    guard Path.fileExtension(of: source.path) != "json" else {
      let root = document.root
      let arguments = isList(name) ? root.array ?? [root] : [root]
      return EventFixture(name: name, source: source, arguments: arguments, violates: [])
    }
    let root = findings.root(of: document)
    let keys = Key.allCases.map(\.rawValue)
    guard findings.isMapping(root, "a mapping with `argument`", keys: keys) else { return nil }
    let violates = violates(root[Key.violates.rawValue])
    switch (root[Key.argument.rawValue], root[Key.arguments.rawValue]) {
    case (let argument?, nil):
      return EventFixture(name: name, source: source, arguments: [argument], violates: violates)
    case (nil, let list?):
      return findings.list(list).map {
        EventFixture(name: name, source: source, arguments: $0, violates: violates)
      }
    case (nil, nil): return findings.reject("expected `argument`, or `arguments` with a list", at: root)
    case (_?, let list?): return findings.reject("`argument` and `arguments` exclude each other", at: list)
    }
  }

  private mutating func violates(_ node: JSON?) -> [(Rule, JSON)] {
    guard let node, let list = findings.list(node, "a list of rule ids") else { return [] }
    return list.compactMap { element in
      let id = element.string ?? JSONWriter.text(element)
      if let rule = Rule.event.first(where: { $0.id == id }) { return (rule, element) }
      return findings.reject(
        "`\(id)` is not a rule about events", at: element,
        help: Suggestion.help(for: id, among: Rule.event.map(\.id)))
    }
  }
}
