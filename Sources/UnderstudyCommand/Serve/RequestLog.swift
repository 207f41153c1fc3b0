package import UnderstudyMock
import UnderstudyVerification

/// The log of `serve`: one line for each request, with its findings below.
package final class RequestLog: Sendable {
  let style: TerminalStyle
  /// Removes keys from queries, because others may see the screen.
  private let redactor: Redactor
  /// What earlier exchanges have shown to be secret; `nil` where nothing holds them.
  private let secrets: JournalSecrets?
  /// Whether findings show their owner, which is the server or the client.
  let showsOwner: Bool
  /// Whether parts that were not validated are listed, not only counted.
  let showsUnvalidated: Bool
  /// The reasons that were reported already.
  let reasons: UnvalidatedReasons
  /// The fixtures that are known to break the contract.
  let broken: BrokenFixtures?

  package convenience init(
    style: TerminalStyle, redactor: Redactor, showsOwner: Bool, showsUnvalidated: Bool,
    reasons: UnvalidatedReasons = UnvalidatedReasons(), secrets: JournalSecrets? = nil
  ) {
    self.init(
      style: style, redactor: redactor, showsOwner: showsOwner, showsUnvalidated: showsUnvalidated, reasons: reasons,
      secrets: secrets, broken: nil)
  }

  init(
    style: TerminalStyle, redactor: Redactor, showsOwner: Bool, showsUnvalidated: Bool, reasons: UnvalidatedReasons,
    secrets: JournalSecrets?, broken: BrokenFixtures?
  ) {
    self.style = style
    self.redactor = redactor
    self.secrets = secrets
    self.showsOwner = showsOwner
    self.showsUnvalidated = showsUnvalidated
    self.reasons = reasons
    self.broken = broken
  }

  /// A log for one event loop, so that loops do not count the references of one object.
  func copy() -> RequestLog {
    RequestLog(
      style: style, redactor: redactor, showsOwner: showsOwner, showsUnvalidated: showsUnvalidated, reasons: reasons,
      secrets: secrets, broken: broken)
  }

  /// Whether an exchange has neither an error nor a warning, and was answered by the contract.
  static func isClean(_ reply: Reply) -> Bool {
    !reply.isProblem && reply.diagnostics.allSatisfy { $0.severity == .info }
  }

  /// Appends the text of an exchange. Hiding secrets, those of earlier exchanges included, takes longer than an event loop
  /// may be busy: that is done where the text is written.
  package func write(_ exchange: ServedRequest, to lines: LineQueue, from loop: Int = 0) {
    let time = Timestamp.clock()
    let head =
      exchange.request.map { $0.headerFields.reduce(exchange.target.utf8.count) { $0 + $1.value.utf8.count } } ?? 0
    let findings = exchange.reply.diagnostics
    if findings.isEmpty, exchange.reply.notValidated.isEmpty,
      Redactor.isPlain(exchange.target, of: exchange.reply.operation?.compiled.operation.path)
    {
      return lines.append(text(exchange, redactor, at: time), from: loop)
    }
    let count = findings.reduce(1) { $0 + 1 + $1.notes.count + ($1.help == nil ? 0 : 1) }
    lines.append(size: head + (exchange.body?.count ?? 0) + exchange.reply.body.count, lines: count, from: loop) {
      self.text(exchange, at: time)
    }
  }

  /// Appends the line of a message of a socket, whose secrets are hidden where it is written.
  package func write(
    _ message: SocketMessage, of socket: SocketIdentity, to lines: LineQueue, from loop: Int = 0
  ) {
    let count = message.findings.reduce(1) { $0 + 1 + $1.notes.count + ($1.help == nil ? 0 : 1) }
    lines.append(size: message.size, lines: count, from: loop) { self.text(message, of: socket) }
  }

  /// Appends findings that are about several messages of sockets.
  func write(_ findings: [Diagnostic], to lines: LineQueue) {
    let time = Timestamp.clock()
    let count = findings.reduce(1) { $0 + 1 + $1.notes.count + ($1.help == nil ? 0 : 1) }
    lines.append(size: 0, lines: count) {
      var redactor = self.current
      return redactor.redact(findings).map { "\(self.style.dim(time)) sockets\n" + self.text($0) }
    }
  }

  /// `09:41:07 < chat {"_id": "7"} socket 3`
  func text(_ message: SocketMessage, of socket: SocketIdentity) -> Redacted<String> {
    var redactor = current
    let shown = SocketMessageText(message, of: socket, &redactor)
    let time = Timestamp.clock(message.time)
    var text = "\(style.dim(time)) \(style.bold(message.isFromClient ? ">" : "<")) "
    text += DiagnosticPrinter.visible(Self.shortened(shown.title))
    if !shown.arguments.isEmpty { text += " " + DiagnosticPrinter.visible(Self.shortened(shown.arguments)) }
    let lane = socket.lane.map { " in \($0)" } ?? ""
    text += " \(style.dim("socket \(socket.id)\(lane)"))\n"
    return redactor.redact(message.findings).map { text + self.text($0) }
  }

  /// Knows the secrets so far.
  private var current: Redactor { secrets?.redactor() ?? redactor }

  func text(_ exchange: ServedRequest, at time: String = Timestamp.clock()) -> Redacted<String> {
    text(exchange, current, at: time)
  }

  private func text(_ exchange: ServedRequest, _ redactor: Redactor, at time: String) -> Redacted<String> {
    redactor.redacted(target: exchange.target, of: exchange.request, exchange.reply.operation?.compiled).map {
      text(exchange, target: $0, redactor, at: time)
    }
  }

  private func text(
    _ exchange: ServedRequest, target: String, _ redactor: Redactor, at time: String
  ) -> String {
    let status = exchange.status.map(String.init) ?? "---"
    let colored =
      switch (exchange.status ?? 0) / 100 {
      case 2: style.green(status)
      case 3: style.cyan(status)
      case 4: style.yellow(status)
      default: style.red(status)
      }
    var text = "\(style.dim(time)) \(style.bold(exchange.method)) "
    text += "\(DiagnosticPrinter.visible(Self.shortened(target))) \(colored) "
    text += "\(style.dim(exchange.duration.shortText)) \(DiagnosticPrinter.visible("\(exchange.reply.source)"))"
    if let errors = broken?.text(for: exchange.reply) { text += " \(style.red("(\(errors))"))" }
    if !exchange.reply.pushes.isEmpty { text += " push \(exchange.reply.pushes.joined(separator: ", "))" }
    if let fault = exchange.reply.fault { text += " \(style.red("fault: \(fault)"))" }
    if exchange.reply.diagnostics.isEmpty, exchange.reply.notValidated.isEmpty { return text + "\n" }
    var redactor = redactor
    let unvalidated = redactor.notValidated(of: exchange).value
    let shown = showsUnvalidated ? unvalidated : reasons.new(in: unvalidated)
    text += "\n"
    // The findings about messages of a socket, which come last, stand below the messages.
    let own = exchange.reply.diagnostics.count - (exchange.transcript?.findings.count ?? 0)
    text += self.text(Array(redactor.findings(of: exchange).value.prefix(max(0, own))))
    for item in shown {
      let place = item.pointer.isEmpty ? "" : "\(DiagnosticPrinter.visible(item.pointer)): "
      text += "  \(style.dim("not validated:")) \(place)\(DiagnosticPrinter.visible(item.reason))\n"
    }
    return text
  }

  private func text(_ findings: [Diagnostic]) -> String {
    var text = ""
    for diagnostic in findings {
      let owner = showsOwner ? diagnostic.owner.rawValue + " " : ""
      text += "  \(style.severity(diagnostic.severity, owner + diagnostic.severity.rawValue + ":")) "
      text += "\(DiagnosticPrinter.visible(diagnostic.placedMessage)) \(style.dim("[\(diagnostic.rule.id)]"))\n"
      for note in diagnostic.notes {
        text += "    \(DiagnosticPrinter.visible((note.location.map { "\($0): " } ?? "") + note.message))\n"
      }
      if let help = diagnostic.help { text += "    help: \(DiagnosticPrinter.visible(help))\n" }
    }
    return text
  }

  /// Limits the length of a hostile URL.
  private static func shortened(_ target: String) -> String {
    target.utf8.count <= 300 ? target : String(decoding: target.utf8.prefix(300), as: UTF8.self) + "..."
  }
}
