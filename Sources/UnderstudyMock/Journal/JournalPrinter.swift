/// Shows exchanges without their secrets.
package struct JournalPrinter {
  private var redactor: Redactor
  private let writer: HARWriter

  package init(_ redactor: Redactor, version: String) {
    self.redactor = redactor
    writer = HARWriter(version: version)
  }

  /// The same for other contracts, with the secrets that are known.
  package func using(_ contracts: [ContractSecrets]) -> JournalPrinter {
    var copy = self
    copy.redactor = redactor.using(contracts)
    return copy
  }

  /// A line of a list.
  package func summary(_ entry: JournalEntry) -> JSON {
    let exchange = entry.exchange
    let operation = exchange.reply.operation
    let target = redactor.redacted(target: exchange.target, of: exchange.request, operation?.compiled)
    return .object(
      ("id", .integer(entry.number)), ("time", .string(Self.time(exchange))), ("method", .string(exchange.method)),
      ("target", .string(VisibleText.shortened(target, to: 300))), ("status", exchange.status.map { .integer($0) }),
      ("contract", operation.map { .string($0.compiled.api.name) }),
      ("operation", operation.map { .string($0.id) }),
      ("lane", exchange.reply.lane.map { .string(redactor.hidingKnown(in: $0)) }),
      ("microseconds", .integer(exchange.microseconds)),
      ("reply", .string("\(exchange.reply.source)")), ("fault", exchange.reply.fault.map { .string("\($0)") }),
      ("errors", .integer(entry.findings(.error))), ("warnings", .integer(entry.findings(.warning))),
      (
        "messages",
        exchange.messages.map { messages($0, of: exchange, limit: 1, length: 300) }
          ?? exchange.transcript.map { messages($0, limit: 1, length: 300) }
      ))
  }

  /// A line of a list.
  package func summary(_ stream: OpenStream) -> JSON {
    summary(JournalEntry(number: stream.number, exchange: stream.current))
  }

  /// Everything that is held of an answer that is still being sent.
  package mutating func detail(_ stream: OpenStream, by mock: Mock) -> JSON {
    detail(JournalEntry(number: stream.number, exchange: stream.current), by: mock)
  }

  /// Learns the secrets of exchanges: others may have them in their targets, which nothing else marks as secret.
  package mutating func learn(_ entries: [JournalEntry]) { for entry in entries { redactor.learn(entry.exchange) } }

  /// A line of a list, with what was found.
  package mutating func summaryWithFindings(_ entry: JournalEntry) -> JSON {
    let findings = findings(of: entry.exchange)
    return .object(summary(entry).members.map { ($0.name, $0.value) } + [("findings", findings)])
  }

  /// Everything that is held of an exchange.
  package mutating func detail(_ entry: JournalEntry, by mock: Mock) -> JSON {
    let exchange = entry.exchange
    redactor.learnMessages(of: exchange)
    var members = summary(entry).members.filter { $0.name != "messages" }.map { ($0.name, $0.value) }
    if let log = exchange.messages { members.append(("messages", messages(log, of: exchange))) }
    if let transcript = exchange.transcript { members.append(("messages", messages(transcript))) }
    let har = exchange.request.map { HAREntryWriter(exchange, $0, &redactor).entry }
    members += [
      ("findings", findings(of: exchange)),
      (
        "notValidated",
        .array(
          redactor.hide(exchange.reply.notValidated, of: exchange).map { item in
            .object(("place", .string(item.pointer)), ("reason", .string(item.reason)))
          })
      ),
    ]
    if entry.isUnmatched { members.append(("nearMisses", nearMisses(entry, among: mock.contractSet))) }
    if let steps = AnswerSteps(of: exchange, by: mock) { members.append(("steps", self.steps(steps))) }
    if let har { members.append(("exchange", har)) }
    return .object(members)
  }

  /// A HAR 1.2 file of exchanges.
  package mutating func har(_ entries: [JournalEntry]) -> [UInt8] {
    let texts = entries.compactMap { writer.entry($0.exchange, &redactor) }
    return writer.head + texts.joined(separator: HARFormat.separator) + HARFormat.tail()
  }

  /// The operations that a request may have been meant for.
  package mutating func nearMisses(_ entry: JournalEntry, among contracts: ContractSet) -> JSON {
    let misses = NearMisses(of: entry.exchange.method, entry.exchange.target, among: contracts).misses
    return .array(
      misses.map { miss in
        .object(
          ("contract", .string(miss.contract)), ("operation", .string(miss.operation)),
          ("method", .string(miss.method)), ("path", .string(miss.path)),
          ("differences", .array(miss.differences.map { .string(redactor.redact(message: $0)) })))
      })
  }

  /// The last messages of a stream.
  ///
  /// - Parameters:
  ///   - limit: The most that are listed.
  ///   - length: The longest text, in characters.
  private func messages(
    _ log: MessageLog, of exchange: ServedExchange, limit: Int = .max, length: Int = .max
  ) -> JSON {
    var redactor = redactor
    let shown = MessageTexts(log.messages.suffix(limit), of: exchange, length: length, &redactor)
    let totals = log.totals
    return .object(
      ("count", .integer(totals.count)), ("bytes", .integer(totals.bytes)), ("last", .array(shown.texts)))
  }

  /// The last messages of a socket.
  private func messages(_ transcript: SocketTranscript, limit: Int = .max, length: Int = .max) -> JSON {
    var redactor = redactor
    let totals = transcript.totals
    let shown = transcript.messages.suffix(limit).map { message in
      let text = SocketMessageText(message, of: transcript.identity, &redactor)
      return text.json(length: length) { redactor.redact(message: $0) }
    }
    return .object(
      ("count", .integer(totals.count)), ("bytes", .integer(totals.bytes)), ("last", .array(shown)))
  }

  /// A message of a socket in a list.
  package func summary(_ entry: SocketTraffic.Entry) -> JSON {
    var redactor = redactor
    let text = SocketMessageText(entry.message, of: entry.socket, &redactor)
    let time = Timestamp.text(
      seconds: entry.message.time / 1_000_000, milliseconds: entry.message.time / 1000 % 1000)
    let members = text.members(length: 300) { redactor.redact(message: $0) }
      .filter { $0.0 != "number" && $0.0 != "microseconds" }
    return .object(
      present: [
        ("number", .integer(entry.number)), ("time", .string(time)), ("socket", .integer(entry.socket.id)),
        ("lane", entry.socket.lane.map { .string(redactor.hidingKnown(in: $0)) }), ("title", .string(text.title)),
      ] + members)
  }

  private mutating func steps(_ steps: AnswerSteps) -> JSON {
    .array(
      steps.steps.map { step in
        .object(
          ("rule", .string(step.rule)), ("outcome", .string(step.outcome.rawValue)),
          ("text", .string(redactor.redact(message: step.text))))
      })
  }

  private mutating func findings(of exchange: ServedExchange) -> JSON {
    .array(redactor.findings(of: exchange).map { .object(present: $0.members(.journal)) })
  }

  private static func time(_ exchange: ServedExchange) -> String {
    Timestamp.text(seconds: exchange.startedAt / 1_000_000, milliseconds: exchange.startedAt / 1000 % 1000)
  }
}
