/// The origin of recorded fixtures: `fixtures/<contract>/_recorded.yaml`. A file that the index does not list, or that
/// was edited since, belongs to a person and is never overwritten.
package struct RecordingIndex: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// `2026-11-21T09:41:00Z`; empty if unknown.
    package var recorded: String
    /// The origin of a server, or the name of a file.
    package var source: String
    package var content: String
    package var contract: String
  }

  /// By the path below the folder of the contract.
  package private(set) var entries: [String: Entry] = [:]
  /// What second passes found, by the id of the operation.
  private(set) var volatile: [String: VolatileOperation] = [:]

  package static let fileName = "_recorded.yaml"
  private static let keys = (recorded: "recorded", source: "from", content: "content", contract: "contract")

  package init() {}

  /// Reads the index of a folder; empty if there is none. Throws if it is damaged: without it every fixture would be one
  /// of a person, which no recording replaces.
  package init(of folder: String) throws(FileProblem) {
    let path = Path.join(folder, Self.fileName)
    guard FileSystem.exists(path) else { return }
    let file = try FileSystem.read(path)
    let root: JSON
    do {
      root = try TextDocument.read(file).root
    } catch {
      throw Self.damage(path, "line \(file.lineNumber(of: error.range.lowerBound)): \(error.message)")
    }
    guard root.isObject, root["fixtures"]?.isObject != false, root["volatile"]?.isObject != false else {
      throw Self.damage(path, "it is not what `understudy record` wrote")
    }
    for member in root["volatile"]?.members ?? JSON.object([]).members {
      volatile[member.name] = VolatileOperation(member.value)
    }
    for member in root["fixtures"]?.members ?? JSON.object([]).members {
      func text(_ key: String) -> String { member.value[key]?.text ?? "" }
      entries[member.name] = Entry(
        recorded: text(Self.keys.recorded), source: text(Self.keys.source), content: text(Self.keys.content),
        contract: text(Self.keys.contract))
    }
  }

  private static func damage(_ path: String, _ message: String) -> FileProblem {
    FileProblem(
      .otherContent, path, "the origin of recorded fixtures cannot be read: \(message)",
      help: "restore it, for example by `git checkout`, or remove it: then every fixture counts as written by hand")
  }

  package subscript(path: String) -> Entry? { entries[path] }

  /// The same content keeps its date for a day, so that recording twice changes nothing.
  mutating func set(_ path: String, _ entry: Entry) {
    if let old = entries[path], old.content == entry.content, old.contract == entry.contract,
      !Self.isMoreThanADay(from: old.recorded, to: entry.recorded)
    {
      return
    }
    entries[path] = entry
  }

  private static func isMoreThanADay(from old: String, to new: String) -> Bool {
    guard let old = Timestamp.microseconds(old.utf8), let new = Timestamp.microseconds(new.utf8) else { return false }
    return new - old > 86_400_000_000
  }

  /// Adds to what is known to be volatile.
  mutating func add(_ operation: VolatileOperation, of id: String) {
    volatile[id, default: VolatileOperation()].merge(operation)
  }

  mutating func remove(_ path: String) { entries[path] = nil }

  /// Removes the entries of files that no longer exist from the index of a folder.
  package static func forgetMissing(in folder: String) throws(FileProblem) {
    var index = try RecordingIndex(of: folder)
    let missing = index.entries.keys.filter { !FileSystem.exists(Path.join(folder, $0)) }
    guard !missing.isEmpty else { return }
    for path in missing { index.remove(path) }
    try FileSystem.replace(Path.join(folder, fileName), with: Array(index.text.utf8))
  }

  func isUnchanged(_ path: String, in folder: String) -> Bool {
    guard let entry = entries[path], let file = try? FileSystem.read(Path.join(folder, path)) else { return false }
    return Self.hash(file.bytes) == entry.content
  }

  var text: String {
    var yaml = YAMLText()
    yaml.comment("Written by `understudy record`: where each fixture comes from. `understudy status` shows it.")
    yaml.line(entries.isEmpty ? "fixtures: {}" : "fixtures:")
    for (path, entry) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      yaml.line("\(YAMLText.scalar(path)):", indent: 2)
      for (key, value) in [
        (Self.keys.recorded, entry.recorded), (Self.keys.source, entry.source), (Self.keys.content, entry.content),
        (Self.keys.contract, entry.contract),
      ] where !value.isEmpty {
        yaml.line("\(key): \(JSONWriter.text(.string(value)))", indent: 4)
      }
    }
    guard !volatile.isEmpty else { return yaml.text }
    yaml.line("volatile:")
    for (id, operation) in volatile.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      yaml.line("\(YAMLText.scalar(id)):", indent: 2)
      operation.write(to: &yaml, indent: 4)
    }
    return yaml.text
  }

  static func hash(_ bytes: [UInt8]) -> String {
    let hash = StableHash.fold(bytes, onto: StableHash.start)
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension CompiledOperation {
  package var contractHash: String { ContractHash.of(self) }
}
