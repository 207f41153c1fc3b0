import ArgumentParser
import JSONSchema
import Understudy

/// `understudy lint SPEC...`: checks contracts by themselves.
struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check contracts by themselves: references, parameters, schemas, security, responses.")

  @OptionGroup var specs: SpecOptions

  @Option(help: ArgumentHelp("The least severity that fails: error, warning or info.", valueName: "severity"))
  var failOn: Threshold = .error

  @Option(help: ArgumentHelp("text, or json (one finding a line).", valueName: "format"))
  var format: LintFormat = .text

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
    func count(_ severity: Severity, _ word: String) -> String {
      (counts[severity] ?? 0).counted(word)
    }
    Terminal.standardError.write(
      "checked \(paths.count.counted("contract")): \(count(.error, "error")), \(count(.warning, "warning")), \(count(.info, "note"))\n"
    )
    if !unloadable.isEmpty { throw CommandFailure(.notLoadable) }
    if counts.contains(where: { $0.key >= failOn.severity && $0.value > 0 }) { throw CommandFailure(.findings) }
  }
}

/// The formats of `lint`.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

/// The severities of `--fail-on`.
enum Threshold: String, CaseIterable, ExpressibleByArgument {
  case error, warning, info

  var severity: Severity {
    switch self {
    case .error: .error
    case .warning: .warning
    case .info: .info
    }
  }
}
