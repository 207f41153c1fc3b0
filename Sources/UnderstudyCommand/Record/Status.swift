import ArgumentParser
import UnderstudyRecording
import UnderstudyVerification

/// `understudy status`: where the fixtures come from, and how old they are.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show when and where each fixture was recorded, and which no longer fit the contract.")

  @OptionGroup var contracts: ContractOptions

  @Option(
    help: ArgumentHelp("Fail if a recorded fixture is older: 90d, 12w.", valueName: "age"))
  var maxAge: String?

  @Option(
    help: ArgumentHelp(
      "Also mark the fixtures that answered in none of these recordings of `serve --har`. Repeatable.",
      valueName: "file"))
  var har: [String] = []

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let configuration = try common.configuration()
    let limit = try maxAge.map(Self.days)
    let loaded = try await Loading(common: common, contracts: contracts).load(configuration, quietly: true)
    let use = try use()
    let now = Timestamp.microseconds()
    let style = common.standardOutput
    var old = 0
    for contract in loaded {
      let inventory = try Self.inventory(of: contract, use)
      Terminal.standardOutput.write(
        "\(style.bold(contract.name)): \(inventory.items.count.counted("fixture")), "
          + "\(inventory.cells - inventory.missing.count) of \(inventory.cells.counted("cell")) have one, "
          + "\(inventory.orphans.count.counted("orphan"))\n")
      let width = inventory.items.map(\.label.count).max() ?? 0
      for item in inventory.items {
        let padding = String(repeating: " ", count: max(0, width - item.label.count))
        var line = "  \(DiagnosticPrinter.visible(item.label))\(padding)  "
        if let recorded = item.recorded {
          let age = item.age(at: now)
          let isOld = limit.map { (age ?? 0) > $0 } ?? false
          if isOld { old += 1 }
          line += "\(recorded.prefix(10))  \(age.map { $0.counted("day") } ?? "age unknown")  "
          line += DiagnosticPrinter.visible(item.source ?? "")
          if isOld { line += "  " + style.red("too old") }
        } else {
          line += "by hand"
        }
        for note in item.notes { line += "  " + style.yellow(note.rawValue) }
        Terminal.standardOutput.write(line + "\n")
      }
      for broken in inventory.broken {
        let place = broken.path + (broken.line.map { ":\($0)" } ?? "")
        Terminal.standardOutput.write(
          "  \(style.red("broken")) \(place): \(DiagnosticPrinter.visible(broken.message))\n")
      }
      for orphan in inventory.orphans {
        Terminal.standardOutput.write("  \(style.yellow("orphan")) \(orphan.path): \(orphan.reason)\n")
      }
    }
    if let maxAge, old > 0 {
      throw CommandFailure(
        .findings, "\(old.counted("fixture")) older than \(maxAge)",
        help: "`understudy record --mode all` records them again")
    }
  }

  static func inventory(of contract: Contract, _ use: FixtureUse? = nil) throws -> FixtureInventory {
    try FileProblem.asFailure { () throws(FileProblem) in try FixtureInventory(of: contract, use: use) }
  }

  /// The fixtures that answered in the recordings; `nil` without recordings.
  private func use() throws -> FixtureUse? {
    guard !har.isEmpty else { return nil }
    var use = FixtureUse()
    for file in har { try RecordedFile(file).forEach { entry, _ in use.see(entry) } }
    guard use.isRecorded else {
      throw CommandFailure(
        .usage, "\(har.joined(separator: ", ")): no mock of Understudy recorded this",
        help: "`understudy serve --har FILE` records which fixture answered")
    }
    return use
  }

  /// `90d`, `12w` or a number of days.
  private static func days(_ text: String) throws -> Int {
    let (digits, unit) = (text.prefix { $0.isNumber }, text.drop { $0.isNumber })
    guard let number = Int(digits), number < 100_000, ["", "d", "w"].contains(unit) else {
      throw CommandFailure(.usage, "`--max-age \(text)` is not an age", help: "expected days or weeks: 90d, 12w")
    }
    return unit == "w" ? number * 7 : number
  }
}

/// `understudy prune`: removes fixtures that belong to nothing.
struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "List fixtures of operations and statuses that the contract does not have; remove them with --yes.")

  @OptionGroup var contracts: ContractOptions

  @Flag(help: "Remove the files.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let configuration = try common.configuration()
    let loaded = try await Loading(common: common, contracts: contracts).load(configuration, quietly: true)
    let orphans = try loaded.flatMap { contract in
      try Status.inventory(of: contract).orphans.map { (orphan: $0, root: contract.fixtures.folder) }
    }
    let style = common.standardOutput
    for (orphan, root) in orphans {
      if yes {
        try FileProblem.asFailure { () throws(FileProblem) in try FileSystem.remove(orphan.path, within: root) }
      }
      Terminal.standardOutput.write(
        "\(yes ? style.yellow("removed") : "orphan") \(orphan.path): \(orphan.reason)\n")
    }
    if yes {
      for contract in loaded {
        try FileProblem.asFailure { () throws(FileProblem) in
          try RecordingIndex.forgetMissing(in: contract.fixtures.folder)
        }
      }
    }
    guard !orphans.isEmpty else { return Terminal.standardError.write("no orphans\n") }
    guard !yes else { return }
    Terminal.standardError.write("next: understudy prune\(contracts.arguments) --yes removes them\n")
  }
}
