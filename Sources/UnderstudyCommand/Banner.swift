import Understudy
import UnderstudyServer

/// The message of `serve` when it is ready: at most seven lines.
struct Banner {
  let mock: Mock
  let address: ServerAddress
  let took: Duration
  let style: TerminalStyle

  var text: String {
    var text = "\(style.bold("understudy \(Version.current)")) listening on \(style.cyan(address.url))\n"
    for contract in mock.contracts.prefix(4) {
      let operations = contract.compiled.operations
      let cells = operations.reduce(0) { $0 + contract.cells(of: $1).count }
      let base = operations.first?.basePath ?? ""
      let errors = contract.diagnostics.count(.error)
      let problems = errors == 0 ? "no problems" : style.red(errors.counted("problem"))
      text +=
        "  \(contract.api.name): \(operations.count.counted("operation")), \(cells.counted("cell")), "
        + "\(contract.fixtures.count.counted("fixture")), \(problems)"
      text += base.isEmpty ? "\n" : ", below \(base)\n"
    }
    if mock.contracts.count > 4 { text += "  and \((mock.contracts.count - 4).counted("more contract"))\n" }
    if let upstream = mock.options.upstream {
      let fallback = mock.options.fallsBack ? ", else the mock" : ""
      text += "  upstream: \(style.cyan(upstream.url))\(fallback)\n"
    } else if let request = QuickStartRequest(of: mock) {
      text += style.dim("  try: \(request.curl(to: address.url))") + "\n"
    }
    return text + style.dim("  ready in \(took.shortText); Ctrl-C stops") + "\n"
  }
}
