public import ArgumentParser
public import UnderstudyVerification

/// `understudy lint SPEC...`: checks contracts.
struct Lint: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check contracts: references, parameters, schemas, security, responses.")

  @OptionGroup var specs: SpecOptions

  @Option(help: .failOn) var failOn: Severity = .error

  @Option(help: ArgumentHelp("text, or json (one finding on each line).", valueName: "format"))
  var format: OutputFormat = .text

  @Flag(name: .shortAndLong, help: "Only the summary.")
  var quiet = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let sources = try await specs.sources(try common.configuration())
    let printer = DiagnosticPrinter(style: common.standardOutput)
    var findings: [Diagnostic] = []
    var isLoadable = true
    for source in sources {
      let (contract, reading) = CompiledContract.read(source)
      if contract == nil { isLoadable = false }
      let problems =
        contract.map { contract in
          // The replies of a routes file are in the file itself.
          contract.lint() + SocketContract(of: contract, fixtures: "").referenceProblems
            + FixtureStore.load(routesOf: contract.api).diagnostics
        } ?? reading
      findings += problems
      guard !quiet else { continue }
      switch format {
      case .text: Terminal.standardOutput.write(printer.text(problems))
      case .json: for problem in problems { Terminal.standardOutput.write(problem.jsonLine) }
      }
    }
    Terminal.standardError.write(
      "checked \(sources.count.counted("contract")): \(ContractVerdict(findings).counts)\n")
    if !isLoadable { throw CommandFailure(.notLoadable) }
    if findings.contains(where: { $0.severity >= failOn }) { throw CommandFailure(.findings) }
  }
}

/// The formats of `lint` and `routes`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

extension Severity: ExpressibleByArgument {}
