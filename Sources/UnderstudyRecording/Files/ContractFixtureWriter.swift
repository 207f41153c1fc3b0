/// Plans the files of one contract: fixtures, a scenario, and the index with their origin.
struct ContractFixtureWriter {
  let contract: Contract
  private let before: RecordingIndex
  private var index: RecordingIndex
  private let source: String
  private var files: [File] = []
  private var removed: [String] = []
  private var kept: [(path: String, difference: String)] = []

  private struct File {
    var path: String
    var bytes: [UInt8]
    var time: String
    var contractHash: String
    /// Whether the file that exists differs only by ids, times, hashes and volatile places.
    var isSame: Bool
    /// Where an earlier recording got it; `nil` for a file of this one.
    var source: String?
    /// The fixture that it describes; `nil` for the file of a body, and for a scenario.
    var fixture: (label: String, name: String?)?
    /// The paths of the files without which it is incomplete.
    var needs: Set<String> = []
  }

  /// - Parameters:
  ///   - before: As it was read.
  ///   - volatile: What is known to be volatile, by the id of the operation.
  init(contract: Contract, before: RecordingIndex, volatile: [String: VolatileOperation], source: String) {
    self.contract = contract
    self.before = before
    index = before
    for (id, operation) in volatile { index.add(operation, of: id) }
    self.source = source
  }

  private var folder: String { contract.fixtures.folder }

  mutating func add(_ fixture: PlannedFixture) {
    let files = fixture.files
    if let own = files.first(where: { isOfPerson($0.path) && bytes(of: $0.path) != $0.bytes }) {
      kept.append((own.path, TextDifference.line(bytes(of: own.path) ?? [], own.bytes)))
      return
    }
    let needs = Set(files.map(\.path) + (fixture.bodyFile.map { ["\(fixture.operation.id)/\($0)"] } ?? []))
    for file in files {
      let isSame = isSame(file.path, file.bytes, recordedAt: fixture.answer.recordedAt) { bytes, time in
        VolatileText.masked(stable(bytes, of: fixture, file.path), near: time)
      }
      self.files.append(
        File(
          path: file.path, bytes: file.bytes, time: fixture.answer.recordedAt,
          contractHash: fixture.operation.contractHash, isSame: isSame,
          fixture: file.path == fixture.path ? (fixture.label, fixture.name) : nil, needs: needs))
    }
  }

  /// Adds the scenario of a recording and returns its name; one without a name keeps sequences that are not replaced.
  mutating func add(
    _ scenario: RecordedScenario, of recorded: [CompiledOperation], in settings: RecordingSettings
  ) -> String {
    var scenario = scenario
    if settings.session == nil, settings.mode != .all {
      guard !scenario.isEmpty else { return scenario.name }
      scenario.takeFreeName { path in isOfPerson(path) ? nil : self.bytes(of: path) }
    }
    let isOurs = bytes(of: scenario.path) != nil && !isOfPerson(scenario.path)
    if settings.session == nil, isOurs, let earlier = self.bytes(of: scenario.path) {
      let replaced = settings.mode == .all ? recorded.map(\.id) : scenario.operations
      scenario.keepOthers(
        of: earlier, besides: Set(replaced), order: contract.compiled.operations.map(\.id))
    }
    guard !scenario.isEmpty else {
      if isOurs, settings.mode == .all, !recorded.isEmpty { remove(scenario.path) }
      return scenario.name
    }
    let bytes = Array(scenario.text.utf8)
    guard !isOfPerson(scenario.path) || self.bytes(of: scenario.path) == bytes else {
      kept.append((scenario.path, TextDifference.line(self.bytes(of: scenario.path) ?? [], bytes)))
      return scenario.name
    }
    let isSame = isSame(scenario.path, bytes) { bytes, _ in RecordedSocketRules.withoutPauses(bytes) }
    let labels = Set(RecordedScenario.labels(of: bytes).flatMap { id, labels in labels.map { "\(id)/\($0)" } })
    let needs = Set(files.filter { $0.fixture.map { labels.contains($0.label) } ?? false }.map(\.path))
    files.append(File(path: scenario.path, bytes: bytes, time: "", contractHash: "", isSame: isSame, needs: needs))
    return scenario.name
  }

  /// A file of a fixture; a body without what is volatile.
  private func stable(_ bytes: [UInt8], of fixture: PlannedFixture, _ path: String) -> [UInt8] {
    let pointers = index.volatile[fixture.operation.id]?[fixture.status] ?? VolatilePointers()
    if Path.fileExtension(of: path) == "yaml" { return VolatileText.unquoted(FixtureDescription.withoutPauses(bytes)) }
    guard !pointers.isEmpty, Path.fileExtension(of: path) == "json" else { return bytes }
    // Tags in the place of numbers would not be valid JSON.
    let text = String(decoding: bytes, as: UTF8.self).replacing(/([:\[,]\s*)(\{\{[^}"]*\}\})/) {
      "\($0.output.1)\"\($0.output.2)\""
    }
    guard let root = try? JSONParser.parse(Array(text.utf8)).root else { return bytes }
    let type = fixture.answer.contentType.flatMap { MediaRange($0) }
    return pointers.masked(root, fixture.operation.schema(ofAnswer: fixture.status, type: type))
  }

  /// Removes recorded files that their operations, recorded again, no longer lead to, unless another file names them.
  mutating func removeOthers(of operations: [CompiledOperation]) {
    let written = Set(files.map(\.path))
    let folders = operations.map { $0.id + "/" }
    let candidates = before.entries.keys.sorted().filter { path in
      !written.contains(path) && before.isUnchanged(path, in: folder)
        && folders.contains { path.utf8.starts(with: $0.utf8) }
    }
    let needed = neededFiles(besides: written.union(candidates))
    for path in candidates where !needed.contains(path) { remove(path) }
  }

  /// Removes secrets that this recording found from the files of earlier ones, which stay as they are otherwise.
  /// Returns the whole paths of the files of people that hold one. `clean` returns a file without known secrets; `nil`
  /// if it has none.
  mutating func removeSecrets(_ clean: (_ path: String, _ bytes: [UInt8]) -> [UInt8]?) -> [String] {
    for index in files.indices where files[index].isSame {
      guard let bytes = bytes(of: files[index].path).flatMap({ clean(files[index].path, $0) }) else { continue }
      (files[index].bytes, files[index].isSame) = (bytes, false)
    }
    let settled = Set(files.map(\.path)).union(removed)
    for (path, entry) in before.entries.sorted(by: { $0.key < $1.key }) where !settled.contains(path) {
      guard before.isUnchanged(path, in: folder), let bytes = bytes(of: path).flatMap({ clean(path, $0) }) else {
        continue
      }
      files.append(
        File(
          path: path, bytes: bytes, time: entry.recorded, contractHash: entry.contract, isSame: false,
          source: entry.source))
    }
    let fixtures = contract.fixtures.fixtures.values.joined().flatMap {
      [$0.source.path] + ($0.bodyFile.map { [$0] } ?? [])
    }
    return Set(fixtures).sorted().filter { path in
      let path = relative(path)
      return isOfPerson(path) && bytes(of: path).flatMap { clean(path, $0) } != nil
    }
  }

  private mutating func remove(_ path: String) { removed.append(path) }

  /// The ids of operations and the names of fixtures, which are not secrets.
  private var names: Set<String> {
    let existing = contract.fixtures.fixtures.values.joined().compactMap(\.name)
    return Set(contract.compiled.operations.map(\.id) + existing + files.compactMap(\.fixture?.name))
  }

  /// The given paths and the paths of all files that need one of them.
  private func needing(_ paths: Set<String>) -> Set<String> {
    var found = paths
    while true {
      let more = files.filter { !found.contains($0.path) && !$0.needs.isDisjoint(with: found) }
      guard !more.isEmpty else { return found }
      found.formUnion(more.map(\.path))
    }
  }

  /// The files that scenarios and descriptions name which this recording neither writes nor removes.
  private func neededFiles(besides changed: Set<String>) -> Set<String> {
    var needed: Set<String> = []
    func need(_ fixture: Fixture) {
      needed.insert(relative(fixture.source.path))
      if let body = fixture.bodyFile { needed.insert(relative(body)) }
    }
    for fixture in contract.fixtures.fixtures.values.joined() where !changed.contains(relative(fixture.source.path)) {
      need(fixture)
    }
    for reading in contract.scenarios {
      let path = "_scenarios/\(reading.name).yaml"
      guard !changed.contains(path) else { continue }
      for (operation, labels) in RecordedScenario.labels(of: bytes(of: path) ?? []) {
        for fixture in contract.fixtures.fixtures[operation] ?? [] {
          if labels.contains("\(fixture.status)" + (fixture.name.map { ".\($0)" } ?? "")) { need(fixture) }
        }
      }
    }
    return needed
  }

  private func relative(_ path: String) -> String { String(path.dropFirst(folder.count).drop { $0 == "/" }) }

  /// Adds everything to a plan. A file that differs only by what is volatile stays as it is, and the others get its ids
  /// and times, so that equal values stay equal. `allowed` are the ids of rules whose secrets are written; `scanner`
  /// makes a scanner that ignores names. Returns the paths of the written fixtures, and the possible secrets.
  func finish(
    _ plan: inout RecordingPlan, allowing allowed: [String], _ scanner: (_ names: Set<String>) -> SecretScanner
  ) -> (labels: [String], secrets: [RecordingReport.FoundSecret]) {
    let root = contract.name
    var index = index
    var earlier = VolatileValues()
    for file in files where file.isSame { earlier.learn(bytes(of: file.path) ?? [], file.bytes) }
    var changed: [String: [UInt8]] = [:]
    for file in files where !file.isSame {
      let new = earlier.applied(to: file.bytes)
      if bytes(of: file.path) != new { changed[file.path] = new }
    }
    let scanner = scanner(names)
    var secrets: [RecordingReport.FoundSecret] = []
    var found: Set<String> = []
    for file in files {
      guard let new = changed[file.path] else { continue }
      let own = FixtureScan.findings(in: new, of: Path.join(root, file.path), scanner).filter {
        !allowed.contains($0.rule)
      }
      guard !own.isEmpty else { continue }
      secrets += own
      found.insert(file.path)
    }
    let doubtful = needing(found)
    for file in files {
      let bytes = self.bytes(of: file.path)
      let new = file.isSame ? bytes ?? file.bytes : earlier.applied(to: file.bytes)
      guard !doubtful.contains(file.path) else {
        if bytes != new {
          plan.doubtful.append(.init(path: Path.join(root, file.path), bytes: new, isReplaced: bytes != nil))
        }
        continue
      }
      index.set(
        file.path,
        .init(
          recorded: file.time, source: file.source ?? source, content: RecordingIndex.hash(new),
          contract: file.contractHash))
      guard bytes != new else { continue }
      plan.files.append(.init(path: Path.join(root, file.path), bytes: new, isReplaced: bytes != nil))
    }
    // A file that stays may need them.
    if doubtful.isEmpty {
      for path in removed { index.remove(path) }
      plan.removed += removed.map { Path.join(root, $0) }
    }
    plan.kept += kept.map { (Path.join(folder, $0.path), $0.difference) }
    let written = files.filter { $0.fixture != nil && !doubtful.contains($0.path) }.map { Path.join(root, $0.path) }
    guard index != before else { return (written, secrets) }
    plan.files.append(
      .init(
        path: Path.join(root, RecordingIndex.fileName), bytes: Array(index.text.utf8),
        isReplaced: before != RecordingIndex()))
    return (written, secrets)
  }

  /// Whether the file that exists has the same content, beside what changes from run to run.
  private func isSame(
    _ path: String, _ bytes: [UInt8], recordedAt time: String = "",
    stable: (_ bytes: [UInt8], _ time: Int?) -> [UInt8]
  ) -> Bool {
    guard let old = self.bytes(of: path) else { return false }
    let earlier = before[path].flatMap { Timestamp.microseconds($0.recorded.utf8) }
    return old == bytes || stable(old, earlier) == stable(bytes, Timestamp.microseconds(time.utf8))
  }

  private func bytes(of path: String) -> [UInt8]? { (try? FileSystem.read(Path.join(folder, path)))?.bytes }

  /// Whether a file exists that no recording wrote, or that was edited since.
  private func isOfPerson(_ path: String) -> Bool {
    FileSystem.exists(Path.join(folder, path)) && !before.isUnchanged(path, in: folder)
  }
}

enum TextDifference {
  static func line(_ old: [UInt8], _ new: [UInt8]) -> String {
    let (a, b) = (old.split(separator: 0x0A), new.split(separator: 0x0A))
    let line = zip(a, b).prefix { $0 == $1 }.count
    func shown(_ lines: [ArraySlice<UInt8>]) -> String {
      guard line < lines.count else { return "nothing" }
      return "`\(VisibleText.shortened(VisibleText.line(String(decoding: lines[line], as: UTF8.self)), to: 60))`"
    }
    return "line \(line + 1) is \(shown(a)), the server has \(shown(b))"
  }
}
