import Understudy
import UnderstudyServer

/// One line per request on standard error, violations indented below.
struct RequestLog: Sendable {
  let lines: LineQueue
  let style: TerminalStyle
  /// Keys in queries are no more for a screen, which others see, than for a file.
  let redaction: Redaction
  /// Whether findings may be the server's as well as the client's, and have to say so.
  let showsOwner: Bool
  /// Whether what was not validated is listed, not only counted.
  let showsUnvalidated: Bool

  func write(_ exchange: Exchange) {
    lines.append(text(exchange))
  }

  func text(_ exchange: Exchange) -> String {
    let time = Timestamp.clock()
    let status = exchange.status.map(String.init) ?? "---"
    let colored =
      switch (exchange.status ?? 0) / 100 {
      case 2: style.green(status)
      case 3: style.cyan(status)
      case 4: style.yellow(status)
      default: style.red(status)
      }
    let took = exchange.duration.shortText
    let target = DiagnosticPrinter.visible(Self.shortened(redaction.url(exchange.target)))
    var text =
      "\(style.dim(time)) \(style.bold(exchange.method)) \(target) \(colored) \(style.dim(took)) \(exchange.reply.reason)"
    if let fault = exchange.reply.fault { text += " \(style.red("fault: \(fault.rawValue)"))" }
    let unvalidated = exchange.reply.notValidated
    if !unvalidated.isEmpty { text += " \(style.dim("(\(unvalidated.count) not validated)"))" }
    text += "\n"
    for diagnostic in exchange.reply.diagnostics {
      let owner = showsOwner ? diagnostic.owner.rawValue + " " : ""
      text += "  \(style.severity(diagnostic.severity, owner + diagnostic.severity.rawValue + ":")) "
      text += "\(DiagnosticPrinter.visible(diagnostic.message)) \(style.dim("[\(diagnostic.rule.id)]"))\n"
      for note in diagnostic.notes {
        text += "    \(note.location.map { "\($0): " } ?? "")\(DiagnosticPrinter.visible(note.message))\n"
      }
      if let help = diagnostic.help { text += "    help: \(DiagnosticPrinter.visible(help))\n" }
    }
    guard showsUnvalidated else { return text }
    for item in unvalidated {
      let place = item.pointer.isEmpty ? "" : "\(DiagnosticPrinter.visible(item.pointer)): "
      text += "  \(style.dim("not validated:")) \(place)\(DiagnosticPrinter.visible(item.reason))\n"
    }
    return text
  }

  /// A hostile URL must not fill the screen.
  private static func shortened(_ target: String) -> String {
    target.utf8.count <= 300 ? target : String(decoding: target.utf8.prefix(300), as: UTF8.self) + "..."
  }
}
