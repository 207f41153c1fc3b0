public import ArgumentParser
public import Understudy

/// `understudy lint SPEC...`: checks contracts.
struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check contracts: references, parameters, schemas, security, responses.")

  @OptionGroup var specs: SpecOptions

  @Option(help: ArgumentHelp("The lowest severity that fails: error, warning or info.", valueName: "severity"))
  var failOn: Severity = .error

  @Option(help: ArgumentHelp("text, or json (one finding on each line).", valueName: "format"))
  var format: OutputFormat = .text

  @Flag(name: .shortAndLong, help: "Only the summary.")
  var quiet = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let paths = try specs.paths(try common.configuration())
    let printer = DiagnosticPrinter(style: common.standardOutput)
    var counts: [Severity: Int] = [:]
    var unloadable: [String] = []
    for path in paths {
      let (contract, reading) = CompiledContract.read(path)
      if contract == nil { unloadable.append(path) }
      for diagnostic in contract?.lint() ?? reading {
        counts[diagnostic.severity, default: 0] += 1
        guard !quiet else { continue }
        switch format {
        case .text: Terminal.standardOutput.write(printer.text(diagnostic))
        case .json: Terminal.standardOutput.write(DiagnosticJSON.line(diagnostic))
        }
      }
    }
    let found = [(Severity.error, "error"), (.warning, "warning"), (.info, "note")].map { severity, noun in
      (counts[severity] ?? 0).counted(noun)
    }
    Terminal.standardError.write(
      "checked \(paths.count.counted("contract")): \(found.joined(separator: ", "))\n")
    if !unloadable.isEmpty { throw CommandFailure(.notLoadable) }
    if counts.contains(where: { $0.key >= failOn && $0.value > 0 }) { throw CommandFailure(.findings) }
  }
}

/// The formats of `lint` and `routes`.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

extension Severity: ExpressibleByArgument {}
