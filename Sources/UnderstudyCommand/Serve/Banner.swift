import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// The message of `serve` when it is ready: some lines.
struct Banner {
  let mock: Mock
  let address: ServerAddress
  /// The findings of `lint` about the contracts that are listed, in their order.
  let verdicts: [ContractVerdict]
  let took: Duration
  let style: TerminalStyle
  /// The address of the console; `nil` without one.
  var console: String?
  /// The path of the certificate that clients have to trust; `nil` for plain HTTP, and with `--cert`.
  var authority: String?
  /// The store of the lanes; `nil` for lanes in memory.
  var store: LaneStoreFacts?

  /// The most contracts that are listed; the others are counted.
  static let contractLimit = 4

  var text: String {
    var text = "\(title)\n"
    for (contract, verdict) in zip(mock.contracts, verdicts) {
      let operations = contract.compiled.operations
      let base = operations.first?.basePath ?? ""
      let broken = contract.diagnostics.filter { $0.owner == .fixture }.count(.error)
      text +=
        "  \(contract.api.name): \(operations.count.counted("operation")), \(contract.cellCount), "
        + "\(contract.fixtures.count.counted("fixture")), "
        + problems(contract, verdict, broken)
      text += base.isEmpty ? "\n" : ", below \(base)\n"
    }
    let rest = mock.contracts.count - verdicts.count
    if rest > 0 { text += "  and \(rest.counted("more contract"))\n" }
    text += BannerNotes(mock: mock, address: address, style: style).text
    if let upstream = mock.options.upstream {
      let fallback =
        switch mock.options.fallback {
        case .none: ""
        case .mock: ", or the mock if it fails"
        case .upstream: ", for what no contract has"
        }
      text += "  upstream: \(style.cyan(upstream.url))\(fallback)\n"
    } else if let request = QuickStartRequest(of: mock) {
      let trust = authority.map { " --cacert \(ShellQuoting().word($0))" } ?? ""
      text += style.dim("  try: curl\(trust)\(request.curl(to: address.url).dropFirst("curl".count))") + "\n"
    }
    if let store { text += "  lanes: \(store.summary)\n" }
    if let console { text += "  console: \(style.cyan(console))\n" }
    return text + style.dim("  ready in \(took.shortText); Ctrl-C stops") + "\n"
  }

  /// The first line alone, with the purpose of the mock.
  func line(_ purpose: String) -> String { "\(title) \(style.dim(purpose))\n" }

  private var title: String {
    "\(style.bold("understudy \(Version.current)")) listening on \(style.cyan(address.url))"
  }

  /// - Parameter broken: The number of errors in fixtures.
  private func problems(_ contract: Contract, _ verdict: ContractVerdict, _ broken: Int) -> String {
    var parts = broken == 0 ? [] : ["\(style.red(broken.counted("error"))) in fixtures"]
    if verdict.errors + verdict.warnings > 0 {
      let summary = verdict.errors > 0 ? style.red(verdict.summary) : style.yellow(verdict.summary)
      let file = contract.api.root.path.isEmpty ? contract.name : contract.api.root.path
      parts.append("\(summary) in the contract: understudy lint \(ShellQuoting().word(file))")
    }
    if contract.compiled.operations.isEmpty, contract.sockets.descriptions.isEmpty {
      parts.append(style.yellow("a contract without operations: there is nothing to serve"))
    }
    return parts.isEmpty ? "no problems in the contract" : parts.joined(separator: ", ")
  }
}
