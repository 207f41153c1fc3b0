import UnderstudySystem
import UnderstudyVerification

/// The verdicts of earlier runs in a folder, one file for each contract. A verdict holds while all files and folders that
/// its run has used are the same.
struct VerdictCache {
  /// A part of a report, with the operations of its contract.
  struct Verdict {
    var report: Report
    var operations: [String]
  }

  private let folder: String
  /// All that verdicts depend on besides files: the program and the settings.
  private let settings: [String]

  /// The version of the layout. Other versions are not read.
  private static let format = 1

  /// - Throws: The reason that the folder cannot be used.
  init(_ folder: String, _ settings: [String]) throws {
    self.folder = folder
    self.settings = settings
    guard FileSystem.isFolder(folder) || !FileSystem.exists(folder) else {
      throw CommandFailure(.usage, "`--cache \(VisibleText.line(folder))` names a file; expected a folder")
    }
    try FileProblem.asFailure { () throws(FileProblem) in try FileSystem.makeFolder(folder) }
  }

  private func path(_ source: ContractSource) -> String {
    let key = StableHash.of([source.path, source.name] + settings)
    return Path.join(folder, "\(String(key, radix: 16)).json")
  }

  /// Whether verdicts of a contract can be kept: not of a URL, whose content is fetched anew.
  func keeps(_ source: ContractSource) -> Bool { !source.isFetched && !source.isInMemory }

  /// The verdict of an earlier run; `nil` without one, or if a file has changed since.
  func verdict(of source: ContractSource) -> Verdict? {
    guard keeps(source), let file = try? FileSystem.read(path(source), maximumBytes: 1 << 30),
      let document = try? JSONParser.parse(file), document.root["format"]?.int == Self.format,
      let observations = Self.observations(document.root), observations.hold,
      let text = document.root["report"]?.string,
      let inner = try? JSONParser.parse(SourceFile(path: file.path, bytes: Array(text.utf8))),
      let report = try? JSONReportReader.report(inner)
    else { return nil }
    return Verdict(
      report: report, operations: document.root["operations"]?.elements.compactMap(\.string) ?? [])
  }

  /// Writes a verdict; a folder that cannot be written costs time, and changes no result.
  ///
  /// - Returns: The reason that it was not kept, if that is a failure.
  func keep(_ verdict: Verdict, of source: ContractSource, _ observations: Observations) -> FileProblem? {
    guard keeps(source), !observations.dependsOnMore else { return nil }
    let context = ReportContext(failOn: .error, allowsEmpty: true, style: .plain, paths: RepositoryPaths.here)
    let value: JSON = [
      "format": .integer(Self.format), "contract": .string(source.path),
      "operations": .array(verdict.operations.map(JSON.string)),
      "contents": Self.object(observations.contents) { .string(String($0, radix: 16)) },
      "folders": Self.object(observations.folders) { .string(String($0, radix: 16)) },
      "kinds": Self.object(observations.kinds) { .string(Self.names[$0] ?? "") },
      "report": .string(JSONReport.text(verdict.report, context)),
    ]
    do throws(FileProblem) {
      try FileSystem.replace(path(source), with: Array(JSONWriter.text(value).utf8))
      return nil
    } catch {
      return error
    }
  }

  /// The digest of the program, which another build of the same version does not have.
  static var programDigest: String {
    #if canImport(Darwin)
    let name = CommandLine.arguments.first ?? ""
    let folders = (Environment["PATH"] ?? "").split(separator: ":").map { Path.join(String($0), name) }
    guard let path = name.contains("/") ? name : folders.first(where: FileSystem.isRegular) else { return "" }
    #else
    let path = "/proc/self/exe"
    #endif
    guard let program = try? FileSystem.read(path, maximumBytes: 1 << 30) else { return "" }
    return Observations.digest(bytes: program.bytes).map { String($0, radix: 16) } ?? ""
  }

  private static let names: [FileStatus.Kind: String] = [
    .regular: "file", .folder: "folder", .link: "link", .other: "other",
  ]

  private static func object<Value>(_ entries: [String: Value?], _ text: (Value) -> JSON) -> JSON {
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .object(present: sorted.map { ($0.key, $0.value.map(text) ?? .null) })
  }

  private static func observations(_ root: JSON) -> Observations? {
    func digests(_ key: String) -> [String: UInt64?] {
      entries(root[key]) { $0.string.flatMap { UInt64($0, radix: 16) } }
    }
    guard root["contents"]?.isObject == true else { return nil }
    var observations = Observations()
    observations.contents = digests("contents")
    observations.folders = digests("folders")
    observations.kinds = entries(root["kinds"]) { value in names.first { $0.value == value.string }?.key }
    return observations
  }

  private static func entries<Value>(_ node: JSON?, _ value: (JSON) -> Value?) -> [String: Value?] {
    Dictionary(
      node?.members.map { ($0.name, value($0.value)) } ?? [], uniquingKeysWith: { first, _ in first })
  }
}
