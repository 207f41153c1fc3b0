import ArgumentParser
import UnderstudyVerification

/// `understudy diff OLD NEW`: compares two versions of a contract.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two versions of a contract: what breaks whom.",
    discussion: """
      A version is a file, a folder of contracts, a URL, or a path in a git revision, as git writes it: HEAD~1:openapi.yaml; \
      main...:openapi.yaml is that of the merge base. Exit codes: 0 clean, 1 findings, 2 usage, 3 a contract cannot be read, \
      4 nothing was compared.
      """)

  @Argument(help: ArgumentHelp("The version that clients use.", valueName: "old")) var old: String
  @Argument(help: ArgumentHelp("The version to judge.", valueName: "new")) var new: String

  @Option(
    help: ArgumentHelp(
      "The severity of rules: a YAML file with `rule: error`, `warning`, `info` or `off` on each line.",
      valueName: "file"))
  var levels: String?

  @Option(help: ArgumentHelp("Whom to protect: contract, tolerant-reader or codegen.", valueName: "policy"))
  var policy: DiffLevels.Policy = .contract

  @Option(
    help: ArgumentHelp(
      "Leave out this prefix of paths; given twice, the first is for the old version.",
      valueName: "prefix"))
  var stripPrefix: [String] = []

  @Option(
    help: ArgumentHelp(
      "Require so many days between the announcement of a sunset date and that date: 180, or beta=30 for a stability level. "
        + "Repeatable.", valueName: "days"))
  var notice: [NoticePeriod] = []

  @Option(
    help: ArgumentHelp("Count the calls of this recording (HAR 1.2) that break. Repeatable.", valueName: "file"))
  var used: [String] = []

  @Option(
    help: ArgumentHelp("Count the fixtures in this folder that no longer validate.", valueName: "folder"))
  var fixtures: String?

  @Flag(help: "Print the changes as Markdown by operation, for people, instead of a report.")
  var changelog = false

  @Option(help: .applyOverlay) var applyOverlay: [String] = []
  @Flag(help: .remoteRefs) var allowRemoteRefs = false
  @Option(\.allowFiles, value: "folder", help: AllowedFiles.help) var allowFiles: [String] = []

  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard stripPrefix.count <= 2 else {
      throw ValidationError("`--strip-prefix` is given \(stripPrefix.count) times: expected one or two prefixes")
    }
    for prefix in stripPrefix where prefix.utf8.first != UInt8(ascii: "/") {
      throw ValidationError("`--strip-prefix \(prefix)` is not the start of a path: expected a slash first")
    }
  }

  func run() async throws {
    let configuration = try common.configuration()
    try reporting.prepare(common)
    let levels = try DiffLevels(policy: policy, file: self.levels, common)
    let run = Report.Run("diff", contracts: [Report.ContractFile(new)], target: old, startedAt: Timestamp.now())
    let start = ContinuousClock.now
    let report = try await reporting.attempt(run) {
      let (before, after) = (try ContractVersion.open(old), try ContractVersion.open(new))
      var report = DiffReport(run, levels, before)
      try await compare(before, after, &report, configuration)
      report.report.run.duration = ContinuousClock.now - start
      return report.finished()
    }
    try reporting.finish(report, common, text: changelog ? DiffChangelog(report).text : nil)
  }

  /// A contract, which may name the files of the options.
  func granted(_ source: ContractSource, _ configuration: Configuration) throws -> ContractSource {
    var source = ContractSource(source.path, name: source.name, reading: configuration.reading)
    source.reading.overlays.files = overlays(of: source.path, configuration)
    source.reading.access.formUnion(try AllowedFiles.access(flags: allowFiles))
    return source
  }

  private func compare(
    _ before: ContractVersion, _ after: ContractVersion, _ report: inout DiffReport, _ configuration: Configuration
  ) async throws {
    guard before.isFolder || after.isFolder else {
      return try await compareFiles(before, after, &report, configuration)
    }
    guard before.isFolder, after.isFolder else {
      throw CommandFailure(
        .usage, "\(before.name) and \(after.name) are a file and a folder: expected two files or two folders")
    }
    let (first, second) = (try before.contracts(), try after.contracts())
    report.report.run.contracts = second.sorted { $0.key < $1.key }.map { Report.ContractFile($0.value.name) }
    let bar = ProgressBar("contract", total: Set(first.keys).union(second.keys).count)
    defer { bar.finish() }
    for path in Set(first.keys).union(second.keys).sorted() {
      switch (first[path], second[path]) {
      case (let old?, let new?): try await compareFiles(old, new, &report, configuration)
      case (let old?, nil): report.removed(old)
      case (nil, let new?): report.added(new)
      case (nil, nil): break
      }
      bar.advance()
    }
  }

  private func compareFiles(
    _ before: ContractVersion, _ after: ContractVersion, _ report: inout DiffReport, _ configuration: Configuration
  ) async throws {
    if case .absent = after {
      throw CommandFailure(.notLoadable, "\(after.name) does not exist")
    }
    if case .absent = before { return report.added(after, isNew: before) }
    let new = try await after.load(self, configuration)
    let old = try await before.load(self, configuration)
    var options = ContractDiff.Options()
    options.oldPrefix = stripPrefix.first ?? ""
    options.newPrefix = stripPrefix.last ?? ""
    options.today = String(Timestamp.now().prefix(10))
    options.notice = NoticePeriod.days(of: notice)
    let diff = ContractDiff(old, new, options)
    let bar = ProgressBar("operation", total: new.operations.count)
    let changes = diff.run { _ in bar.advance() }
    bar.finish()
    if let fixtures {
      guard FileSystem.isFolder(fixtures) else {
        throw CommandFailure(.usage, "`--fixtures \(fixtures)` is not a folder")
      }
      report.report.remarks.append(OutdatedFixtures(fixtures, old, new).remark)
    }
    report.add(changes, of: diff, old, new, used: used.isEmpty ? nil : try RecordedUse(used, old, new))
  }
}
