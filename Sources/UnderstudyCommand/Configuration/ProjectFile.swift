import UnderstudyVerification

/// The config file that `init` writes or adds contracts to.
struct ProjectFile {
  let path: String
  /// The text; `nil` if the file does not exist.
  let source: SourceFile?
  /// The settings of the file; the defaults if it does not exist.
  let configuration: Configuration
  private(set) var added: [ConfigurationEdit.Entry] = []
  /// Messages about the names of contracts.
  private(set) var notes: [String] = []
  private var known: [ContractSource]
  private var chosen: Set<String> = []

  /// Reads the file of `--config`, else the one in the working folder. Files further up belong to other projects. Throws if
  /// the file has errors.
  init(_ common: CommonOptions) throws {
    path = Setting(\.config, flag: common.config)?.text ?? Configuration.fileName
    guard FileSystem.exists(path) else {
      (source, configuration, known) = (nil, Configuration(), [])
      return
    }
    let diagnostics: [Diagnostic]
    (configuration, diagnostics) = Configuration.find(named: path)
    common.report(diagnostics)
    guard diagnostics.count(.error) == 0 else { throw CommandFailure(.usage) }
    source = try? FileSystem.read(path)
    known = configuration.contracts
  }

  /// The contracts, with names that are unique in the project.
  mutating func named(_ specs: [String]) -> [ContractSource] {
    var taken = known.map(\.name)
    return specs.map { spec in
      if let own = known.first(where: { FileSystem.isSame($0.path, spec) || $0.path == spec }) {
        return ContractSource(spec, name: own.name, reading: own.reading)
      }
      let name = ContractSource.name(of: spec)
      guard taken.contains(name) else {
        taken.append(name)
        return ContractSource(spec, reading: configuration.reading)
      }
      let folder = Path.name(of: Path.folder(of: spec))
      let candidates = [folder, "\(folder)-\(name)"] + (2...999).map { "\(name)-\($0)" }
      let free = candidates.first { ContractSource.canName($0) && !taken.contains($0) } ?? name
      taken.append(free)
      chosen.insert(free)
      notes.append("\(spec) gets the name `\(free)`, because `\(name)` is another contract")
      return ContractSource(spec, name: free, reading: configuration.reading)
    }
  }

  /// Adds a contract unless the file has it.
  mutating func add(_ source: ContractSource) {
    guard !known.contains(where: { FileSystem.isSame($0.path, source.path) || $0.path == source.path }) else { return }
    known.append(source)
    added.append(
      ConfigurationEdit.Entry(
        file: source.isRemote ? source.path : Path.relative(source.path, to: Path.folder(of: path)),
        name: chosen.contains(source.name) ? source.name : nil))
  }

  /// The text of a new file.
  func newText(fixtures: String) -> String {
    let folder = Path.relative(fixtures, to: Path.folder(of: path))
    return """
      # The settings of `understudy`.
      contracts:
      \(added.map { "  - \($0.text)" }.joined(separator: "\n"))
      fixtures: \(JSONWriter.text(.string(folder)))
      port: 4010

      """
  }
}

extension ContractSource {
  /// Whether a text can name a folder of fixtures: one path segment that does not start with `.` or `_`.
  static func canName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && !text.hasPrefix("_") && !text.utf8.contains(UInt8(ascii: "/"))
  }
}

extension Path {
  /// A path of the working folder, relative to another folder; absolute if the folder is outside the working folder.
  static func relative(_ path: String, to folder: String) -> String {
    guard !folder.isEmpty, !path.hasPrefix("/") else { return path }
    let from = folder.split(separator: "/").filter { $0 != "." }
    guard !folder.hasPrefix("/"), !from.contains("..") else {
      return FileSystem.workingFolder.map { Path.join($0, path) } ?? path
    }
    let to = path.split(separator: "/").filter { $0 != "." }
    let common = zip(from, to.dropLast()).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - common) + to.dropFirst(common)).joined(separator: "/")
  }
}
