import ArgumentParser
import UnderstudyVerification

/// `understudy diff OLD NEW`: compares two versions of a contract.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two versions of a contract: which clients break, and why.",
    discussion: """
      A version is a file, a folder of contracts, a URL, or a path in a git revision, as git writes it: HEAD~1:openapi.yaml; \
      main...:openapi.yaml is that of the merge base, :openapi.yaml that of the index. Exit codes: 0 clean, 1 findings, 2 usage, \
      3 a contract cannot be read, 4 nothing was compared.
      """)

  @Argument(help: ArgumentHelp("The version that clients use.", valueName: "old")) var old: String
  @Argument(help: ArgumentHelp("The version that replaces it.", valueName: "new")) var new: String

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
        + "Repeatable.", valueName: "days"), transform: NoticePeriod.init)
  var notice: [NoticePeriod] = []

  @Option(
    help: ArgumentHelp(
      """
      Count the calls of this recording that break: HAR 1.2, NDJSON, or what `serve --journal` or `serve --store` wrote. \
      Repeatable.
      """,
      valueName: "file"))
  var used: [String] = []

  @Option(
    \.fixtures, value: "folder",
    help:
      "The folder with one folder of fixtures for each contract, which are validated by both versions. (default: fixtures)"
  )
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
    if changelog, reporting.format != .text {
      throw ValidationError(
        "`--changelog` is printed in place of a report: remove `--format \(reporting.format.rawValue)`, or write that report to "
          + "a file by `--report \(reporting.format.rawValue)=FILE`")
    }
    for prefix in stripPrefix where prefix.utf8.first != UInt8(ascii: "/") {
      throw ValidationError("`--strip-prefix \(prefix)` is not the start of a path: expected a slash first")
    }
  }

  func run() async throws {
    let configuration = try common.configuration()
    try reporting.prepare(common)
    try reporting.spare([old, new] + used + [levels].compactMap(\.self))
    let levels = try DiffLevels(policy: policy, file: self.levels, common)
    let run = Report.Run("diff", contracts: [Report.ContractFile(new)], target: old, startedAt: Timestamp.now())
    let report = try await reporting.attempt(run) {
      try await DiffRun(command: self, configuration: configuration, levels: levels).report()
    }
    try reporting.finish(report, common, text: changelog ? DiffChangelog(report).text : nil)
  }

  /// A contract with its name of the config file, which may name the files of the options.
  func source(_ path: String, _ configuration: Configuration) throws -> ContractSource {
    let named = configuration.contracts.first { $0.path.utf8Equals(path) || FileSystem.isSame($0.path, path) }
    let source = ContractSource(path, name: named?.name, reading: named?.reading ?? configuration.reading)
    return try granted([source], configuration)[0]
  }
}

extension DiffCommand: ContractNaming {
  var specs: [String] { [old, new] }
}
