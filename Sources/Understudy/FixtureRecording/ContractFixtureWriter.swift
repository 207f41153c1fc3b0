/// Plans the files of one contract: fixtures, a scenario, and the index with their origin.
struct ContractFixtureWriter {
  let contract: Contract
  private let before: RecordingIndex
  private var index: RecordingIndex
  private let source: String
  private var files: [(path: String, bytes: [UInt8])] = []
  private var removed: [String] = []
  private var kept: [(path: String, difference: String)] = []
  /// The fixtures that are written.
  private(set) var labels: [String] = []

  init(contract: Contract, index: RecordingIndex, source: String) {
    self.contract = contract
    before = index
    self.index = index
    self.source = source
  }

  private var folder: String { contract.fixtures.folder }

  mutating func add(_ fixture: PlannedFixture) {
    let files = fixture.files
    if let own = files.first(where: { isOfPerson($0.path) && bytes(of: $0.path) != $0.bytes }) {
      kept.append((own.path, TextDifference.line(bytes(of: own.path) ?? [], own.bytes)))
      return
    }
    for file in files {
      add(file.path, file.bytes, fixture.answer.recordedAt, fixture.operation.contractHash)
    }
    labels.append("\(contract.name)/\(fixture.path)")
  }

  mutating func add(_ scenario: RecordedScenario) {
    let bytes = Array(scenario.text.utf8)
    guard !isOfPerson(scenario.path) || self.bytes(of: scenario.path) == bytes else {
      kept.append((scenario.path, TextDifference.line(self.bytes(of: scenario.path) ?? [], bytes)))
      return
    }
    add(scenario.path, bytes, "", "")
  }

  /// Removes recorded files of operations that were recorded again and no longer lead to them.
  mutating func removeOthers(of operations: [CompiledOperation]) {
    let written = Set(files.map(\.path))
    let folders = operations.map { $0.id + "/" }
    for path in before.entries.keys.sorted() where !written.contains(path) && before.isUnchanged(path, in: folder) {
      guard folders.contains(where: { path.utf8.starts(with: $0.utf8) }) else { continue }
      removed.append(path)
      index.remove(path)
    }
  }

  func finish(_ plan: inout RecordingPlan) {
    let root = contract.name
    for (path, bytes) in files {
      let old = self.bytes(of: path)
      guard old != bytes else { continue }
      plan.files.append(.init(path: Path.join(root, path), bytes: bytes, isReplaced: old != nil))
    }
    plan.removed += removed.map { Path.join(root, $0) }
    plan.kept += kept.map { (Path.join(folder, $0.path), $0.difference) }
    let text = Array(index.text.utf8)
    guard index.entries != before.entries else { return }
    plan.files.append(
      .init(path: Path.join(root, RecordingIndex.fileName), bytes: text, isReplaced: !before.entries.isEmpty))
  }

  private mutating func add(_ path: String, _ bytes: [UInt8], _ time: String, _ contractHash: String) {
    files.append((path, bytes))
    index.set(
      path, .init(recorded: time, source: source, content: RecordingIndex.hash(bytes), contract: contractHash))
  }

  private func bytes(of path: String) -> [UInt8]? {
    (try? FileSystem.read(Path.join(folder, path), onlyRegular: true))?.bytes
  }

  /// Whether a file exists that no recording wrote, or that was edited since.
  private func isOfPerson(_ path: String) -> Bool {
    FileSystem.exists(Path.join(folder, path)) && !before.isUnchanged(path, in: folder)
  }
}

/// The first line in which two texts differ, for a message.
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
