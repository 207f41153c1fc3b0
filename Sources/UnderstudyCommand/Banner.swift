import SourceText
import Understudy
import UnderstudyServer

/// What `serve` says when it is ready: under eight lines.
struct Banner {
  let engine: MockEngine
  let address: HTTPServer.Address
  let took: Duration
  let style: TerminalStyle

  var text: String {
    var text = "\(style.bold("understudy \(Version.current)")) listening on \(style.cyan(address.url))\n"
    for (index, contract) in engine.contracts.enumerated().prefix(4) {
      let plans = engine.plans.filter { $0.contractIndex == index }
      let cells = plans.flatMap(\.cells)
      let base =
        engine.options.usesBasePaths ? plans.first.flatMap { BasePaths.from($0.operation.servers).first } ?? "" : ""
      let errors = contract.diagnostics.count(.error)
      let problems = errors == 0 ? "no problems" : style.red(errors.counted("problem"))
      text +=
        "  \(contract.api.name): \(plans.count.counted("operation")), \(cells.count.counted("cell")), "
        + "\(contract.fixtures.count.counted("fixture")), \(problems)"
      text += base.isEmpty ? "\n" : ", below \(base)\n"
    }
    if engine.contracts.count > 4 { text += "  and \((engine.contracts.count - 4).counted("more contract"))\n" }
    if let upstream = engine.options.upstream {
      let fallback = engine.options.fallsBack ? ", else the mock" : ""
      text += "  upstream: \(style.cyan(upstream.url))\(fallback)\n"
    } else if let trial = Trial(of: engine) {
      text += style.dim("  try: \(trial.curl(to: address.url))") + "\n"
    }
    return text + style.dim("  ready in \(took.shortText); Ctrl-C stops") + "\n"
  }
}
