import Foundation
import UnderstudySchema

/// A file of `Tests/Mutants`: originals without faults, and the faults to seed.
///
///     contract: specs/petstore.yaml       or, below the corpora, `corpus:`
///     fixtures: fixtures/petstore         to verify fixtures
///     exchanges: petstore.txt             for recorded exchanges, in the form of scenarios
///     prepare: [{replace: a, with: b}]    changes of the contract without a fault
///     formats: assert                     as in understudy.yaml
///     mutants:
///       - rule: req.param.schema
///         why: a limit beyond the maximum
///         exchange: findPets
///         replace: limit=20
///         with: limit=2000
package struct MutantTable: Sendable {
  package var name: String
  package var mutants: [Mutant]
  /// The contract's file name and text.
  private var contract: (name: String, text: String)
  /// By their path in the project.
  private var fixtures: [String: String] = [:]
  private var exchanges: [(name: String, text: String)] = []
  /// Whether formats are asserted; `nil` leaves it to the dialect.
  private var formats: String?

  /// Whether it needs files outside of the project.
  package var isFromCorpora: Bool

  private static let folder = Project.path("Tests/Mutants")

  /// Every table with an available contract, by name.
  package static func all() throws -> [MutantTable] { try files().compactMap { try MutantTable(file: $0) } }

  /// The names of the tables without an available contract.
  package static func skipped() throws -> [String] { try files().filter { try MutantTable(file: $0) == nil } }

  private static func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
  }

  /// `nil` if the contract is in the corpora, and these are absent.
  init?(file: String) throws {
    let root = try TextDocument.read(FileSystem.read(Self.folder + "/" + file, shownAs: file)).root
    try Mutant.refuse(
      keysOf: root, but: ["contract", "corpus", "fixtures", "exchanges", "prepare", "formats", "mutants"])
    isFromCorpora = root["corpus"] != nil
    if isFromCorpora, !Corpora.isPresent { return nil }
    name = file
    mutants = try root["mutants"]?.elements.map { try Mutant($0) } ?? []
    let path =
      isFromCorpora
      ? Corpora.path(try Mutant.text("corpus", in: root))
      : Project.path(try Mutant.text("contract", in: root))
    contract = (URL(filePath: path).lastPathComponent, try String(contentsOfFile: path, encoding: .utf8))
    for edit in try root["prepare"]?.elements.map({ try Mutant.Edit($0) }) ?? [] {
      contract.text = try edit.applied(to: contract.text)
    }
    formats = root["formats"]?.string
    if let folder = root["fixtures"]?.string {
      fixtures = try Self.files(below: Project.path(folder), as: fixturesRoot)
    }
    if let exchanges = root["exchanges"]?.string {
      let text = try String(contentsOfFile: Self.folder + "/" + exchanges, encoding: .utf8)
      self.exchanges = Self.sections(of: text)
    }
  }

  /// The folder that the contract's fixtures have in a project.
  private var fixturesRoot: String { "fixtures/" + contract.name.prefix { $0 != "." } }

  private static func files(below folder: String, as root: String) throws -> [String: String] {
    var files: [String: String] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      files[root + "/" + path] = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
    }
    return files
  }

  /// The texts below `=== name`.
  private static func sections(of text: String) -> [(name: String, text: String)] {
    ("\n" + text).components(separatedBy: "\n=== ").dropFirst().map { section in
      let end = section.firstIndex(of: "\n") ?? section.endIndex
      return (String(section[..<end]), String(section[end...]))
    }
  }

  // MARK: - Trials

  /// The originals of this table, which must have no findings, under each set of levels of the mutants.
  func originals() -> [MutantTrial] {
    let settings = Set(mutants.map(\.levels) + [[:]]).sorted { $0.description < $1.description }
    return settings.map { levels in
      if levels.isEmpty { return trial(expected: [], fixtures: fixtures, exchanges: exchanges.map(\.text)) }
      // Only originals that a mutant of these levels starts from.
      let starts = mutants.filter { $0.levels == levels }
      let exchanges = exchanges.filter { exchange in starts.contains { $0.exchange == exchange.name } }
      return trial(
        expected: [], levels: levels, fixtures: fixtures(near: starts.flatMap(\.edits)),
        exchanges: exchanges.map(\.text))
    }
  }

  func trial(of mutant: Mutant) throws -> MutantTrial {
    var exchanges: [String] = []
    if let name = mutant.exchange {
      guard var text = self.exchanges.first(where: { $0.name == name })?.text else {
        throw Mutant.Mistake(place: mutant.place, message: "the exchange `\(name)` does not exist")
      }
      for edit in mutant.edits { text = try edit.applied(to: text) }
      exchanges = [text]
    }
    var trial = trial(
      expected: Set([mutant.rule] + mutant.also), levels: mutant.levels, fixtures: fixtures(near: mutant.edits),
      exchanges: exchanges)
    trial.mutant = mutant
    if mutant.exchange == nil {
      for edit in mutant.edits { try edit.apply(to: &trial.files, below: fixturesRoot, contract: contract.name) }
    }
    return trial
  }

  /// The fixtures in changed folders, to save time; all of them if the contract changes.
  private func fixtures(near edits: [Mutant.Edit]) -> [String: String] {
    if edits.contains(where: { $0.file == nil }) { return fixtures }
    let folders = edits.compactMap { $0.file?.split(separator: "/").first }.map { "\(fixturesRoot)/\($0)/" }
    return fixtures.filter { path, _ in folders.contains { path.hasPrefix($0) } }
  }

  private func trial(
    expected: Set<String>, levels: [String: String] = [:], fixtures: [String: String], exchanges: [String]
  ) -> MutantTrial {
    let rules = levels.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    let settings = "rules: {\(rules)}\n" + (formats.map { "formats: \($0)\n" } ?? "")
    var files = [contract.name: contract.text, "understudy.yaml": settings]
    var arguments = ["verify", contract.name, "--format", "json"]
    if exchanges.isEmpty {
      files.merge(fixtures) { _, new in new }
    } else {
      files["traffic.har"] = Recording.text(of: exchanges)
      arguments += ["--har", "traffic.har"]
    }
    return MutantTrial(title: "\(name), unchanged", expected: expected, files: files, arguments: arguments)
  }
}
