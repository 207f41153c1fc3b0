import ArgumentParser
import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// `understudy doctor`: checks the machine and the project.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the machine and the project: versions, libraries, port, config file, contracts, fixtures.")

  @OptionGroup var contracts: ContractOptions

  @Option(\.port, short: "p", help: "The port to try.", transform: (0...65_535).number)
  var port: Int?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let style = common.standardOutput
    var problems = 0
    func line(_ isGood: Bool, _ name: String, _ text: String) {
      if !isGood { problems += 1 }
      let mark = isGood ? style.green("ok  ") : style.red("no  ")
      let gap = String(repeating: " ", count: max(1, 12 - name.utf8.count))
      Terminal.standardOutput.write("\(mark)\(name)\(gap)\(text)\n")
    }
    line(true, "understudy", Version.current)
    for (name, version) in Libraries.versions { line(version != Curl.problem, name, version) }
    let (configuration, found) = Configuration.find(named: common.config)
    common.report(found)
    line(found.isEmpty, "config", configuration.path ?? "no understudy.yaml in this folder or above; flags are enough")
    if let tokens = configuration.tokens {
      let (_, problems) = tokens.check(now: { Timestamp.seconds() })
      common.report(problems)
      let checked = tokens.key == nil ? "`exp` and `nbf` are checked" : "`exp`, `nbf` and the signature are checked"
      line(problems.isEmpty, "tokens", problems.isEmpty ? checked : "the key cannot be used")
    }

    let port = port ?? SettingKeys.all.port.environment.flatMap { Int($0) } ?? configuration.port ?? 4010
    let host = Setting(\.host, flag: nil, configuration)?.text ?? "127.0.0.1"
    let problem = await portProblem(host: host, port: port)
    line(problem == nil, "port", problem ?? (port == 0 ? "\(host) has free ones" : "\(host):\(port) is free"))

    let isNamed = !contracts.specs.isEmpty || !configuration.contracts.isEmpty
    let sources = isNamed ? try await contracts.sources(configuration) : []
    let nearby = NearbyContracts.paths().first.map { ShellQuoting().word($0) } ?? "SPEC"
    line(
      isNamed, "contracts",
      isNamed
        ? sources.map(\.path).joined(separator: ", ") : "none; `understudy init \(nearby)` creates a project")
    let folder = try contracts.folder(configuration)
    var loaded: [Contract] = []
    for source in sources {
      let path = source.path
      let (contract, diagnostics) = Contract.load(source, fixtures: folder, basePaths: configuration.basePaths())
      guard let contract else {
        line(false, "", "\(path) cannot be read: `\(contracts.lintCommand(source))` shows why")
        continue
      }
      loaded.append(contract)
      let operations = contract.compiled.operations
      let cells = operations.flatMap(contract.cells).filter { $0.cell.response != nil }
      let covered = cells.count { !$0.defaults.isEmpty }
      let verdict = ContractVerdict(contract.compiled.lint() + contract.sockets.referenceProblems)
      line(
        verdict.errors == 0, "",
        "\(path): \(verdict.counts)" + (verdict.errors > 0 ? "; `\(contracts.lintCommand(source))` lists them" : ""))
      let validated = await contract.validateFixtures(configuration.rules).flatMap(\.findings)
      let broken = (diagnostics + validated).filter { $0.severity == .error && $0.owner == .fixture }
      line(
        broken.isEmpty, "",
        "\(contract.fixtures.count.counted("fixture")) in \(contract.fixtures.folder), \(broken.count.counted("error")); "
          + "\(covered) of \(cells.count.counted("cell")) of \(operations.count.counted("operation")) have one")
      common.report(broken)
    }
    let unowned = UnownedFixtures.findings(
      in: folder, owners: (sources + configuration.contracts).map(\.name), isChoice: !contracts.specs.isEmpty)
    problems += unowned.count(.error)
    common.report(unowned)
    let conflicts = ContractConflict.all(among: loaded.map(\.compiled))
    problems += conflicts.count(.error)
    common.report(conflicts)
    if problems > 0 { throw CommandFailure(.findings) }
  }

  /// Starts a server to find out whether the port is available.
  private func portProblem(host: String, port: Int) async -> String? {
    do throws(MockServerError) {
      try await MockServer(Mock(contracts: []), host: host, port: port).stop()
      return nil
    } catch {
      return error.description
    }
  }
}
