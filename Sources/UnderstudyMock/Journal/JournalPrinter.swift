/// Shows exchanges without their secrets.
package struct JournalPrinter {
  private var redactor: Redactor
  private let writer: HARWriter

  package init(_ redactor: Redactor, version: String) {
    self.redactor = redactor
    writer = HARWriter(version: version)
  }

  /// Creates a printer for other contracts that knows the same secrets.
  package func using(_ contracts: [ContractSecrets]) -> JournalPrinter {
    var copy = self
    copy.redactor = redactor.using(contracts)
    return copy
  }

  /// A line of a list.
  package func summary(_ entry: JournalEntry) -> Redacted<JSON> {
    let exchange = entry.served
    let operation = exchange.reply.operation
    return redactor.redacted(target: exchange.target, of: exchange.request, operation?.compiled).map { target in
      .object(
        ("id", .integer(entry.number)), ("time", .string(Timestamp.text(microseconds: exchange.startedAt))),
        ("method", .string(exchange.method)), ("target", .string(VisibleText.shortened(target, to: 300))),
        ("status", exchange.status.map { .integer($0) }),
        ("contract", operation.map { .string($0.compiled.api.name) }), ("operation", operation.map { .string($0.id) }),
        ("lane", exchange.reply.lane.map { .string(redactor.hidingKnown(in: $0).value) }),
        ("microseconds", .integer(exchange.microseconds)),
        ("reply", .string("\(exchange.reply.source)")), ("fault", exchange.reply.fault.map { .string("\($0)") }),
        ("pushes", exchange.reply.pushes.isEmpty ? nil : .array(exchange.reply.pushes.map { .string($0) })),
        ("errors", .integer(entry.findings(.error))), ("warnings", .integer(entry.findings(.warning))),
        ("open", exchange.openNumber.map { .integer($0) }),
        (
          "messages",
          exchange.messages.map { messages($0, of: exchange, limit: 1, length: 300).value }
            ?? exchange.transcript.map { messages($0, limit: 1, length: 300).value }
        ))
    }
  }

  /// A line of a list.
  package func summary(_ stream: OpenStream) -> Redacted<JSON> {
    Self.late(stream, summary(JournalEntry(number: stream.number, stream.current)))
  }

  /// Adds the reason that the client has no response yet.
  private static func late(_ stream: OpenStream, _ shown: Redacted<JSON>) -> Redacted<JSON> {
    guard let late = stream.late else { return shown }
    return shown.map { .object($0.members.map { ($0.name, $0.value) } + [("late", .string("\(late)"))]) }
  }

  /// Lists entries, each in a line.
  package mutating func summaries(_ entries: [JournalEntry], withFindings: Bool = false) -> Redacted<[JSON]> {
    if withFindings { learn(entries) }
    return .list(entries.map { withFindings ? summaryWithFindings($0) : summary($0) })
  }

  /// Everything that is held of an exchange that has not ended.
  package mutating func detail(_ stream: OpenStream, by mock: Mock) -> Redacted<JSON> {
    Self.late(stream, detail(JournalEntry(number: stream.number, stream.current), by: mock))
  }

  /// Learns the secrets of exchanges: others may have them in their targets, which nothing else marks as secret.
  package mutating func learn(_ entries: [JournalEntry]) { for entry in entries { redactor.learn(entry.served) } }

  /// A line of a list, with the findings.
  package mutating func summaryWithFindings(_ entry: JournalEntry) -> Redacted<JSON> {
    let findings = findings(of: entry.served).value
    return summary(entry).map { .object($0.members.map { ($0.name, $0.value) } + [("findings", findings)]) }
  }

  /// Everything that is held of an exchange.
  package mutating func detail(_ entry: JournalEntry, by mock: Mock) -> Redacted<JSON> {
    let exchange = entry.served
    redactor.learnMessages(of: exchange)
    let summary = summary(entry)
    var more: [(String, JSON)] = []
    if let log = exchange.messages { more.append(("messages", messages(log, of: exchange).value)) }
    if let transcript = exchange.transcript { more.append(("messages", messages(transcript).value)) }
    let har = HAREntryWriter.entry(exchange, &redactor)
    more.append(("findings", findings(of: exchange).value))
    let notValidated = redactor.notValidated(of: exchange).value.map { item in
      JSON.object(("place", .string(item.pointer)), ("reason", .string(item.reason)))
    }
    more.append(("notValidated", .array(notValidated)))
    if entry.isUnmatched { more.append(("nearMisses", nearMisses(entry, among: mock.contractSet).value)) }
    if let steps = ResponseTrace(of: exchange, by: mock) { more.append(("steps", self.steps(steps).value)) }
    if let har { more.append(("exchange", har.value)) }
    return summary.map { .object($0.members.filter { $0.name != "messages" }.map { ($0.name, $0.value) } + more) }
  }

  /// A HAR 1.2 file of exchanges.
  package mutating func har(_ entries: [JournalEntry]) -> Redacted<[UInt8]> {
    Redacted.list(entries.compactMap { writer.entry($0.served, &redactor) }).map { texts in
      writer.head + texts.joined(separator: HARFormat.separator) + HARFormat.tail()
    }
  }

  /// The operations that a request may have been meant for.
  package mutating func nearMisses(_ entry: JournalEntry, among contracts: ContractSet) -> Redacted<JSON> {
    let misses = NearMisses(of: entry.served.method, entry.served.target, among: contracts).misses
    return Redacted.list(
      misses.map { miss in
        Redacted.list(miss.differences.map { redactor.redact(message: $0) }).map { differences in
          JSON.object(
            ("contract", .string(miss.contract)), ("operation", .string(miss.operation)),
            ("method", .string(miss.method)), ("path", .string(miss.path)),
            ("differences", .array(differences.map(JSON.string))))
        }
      }
    ).map { .array($0) }
  }

  /// The last messages of a stream.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of messages.
  ///   - length: The maximum length of a string, in characters.
  private func messages(
    _ log: MessageLog, of exchange: ServedRequest, limit: Int = .max, length: Int = .max
  ) -> Redacted<JSON> {
    var redactor = redactor
    let totals = log.totals
    return MessageTexts.list(log.messages.suffix(limit), of: exchange, length: length, &redactor).map { texts in
      .object(("count", .integer(totals.count)), ("bytes", .integer(totals.bytes)), ("last", .array(texts)))
    }
  }

  private func messages(_ transcript: SocketTranscript, limit: Int = .max, length: Int = .max) -> Redacted<JSON> {
    var redactor = redactor
    let totals = transcript.totals
    let shown = transcript.messages.suffix(limit).map { message in
      SocketMessageText(message, of: transcript.identity, &redactor).members(length: length, &redactor)
    }
    return Redacted.list(shown).map { shown in
      .object(
        ("count", .integer(totals.count)), ("bytes", .integer(totals.bytes)),
        ("last", .array(shown.map { .object(present: $0) })))
    }
  }

  /// A message of a socket in a list.
  package func summary(_ entry: SocketTraffic.Entry) -> Redacted<JSON> {
    var redactor = redactor
    let text = SocketMessageText(entry.message, of: entry.socket, &redactor)
    let lane = entry.socket.lane.map { JSON.string(redactor.hidingKnown(in: $0).value) }
    return text.members(length: 300, &redactor).map { members in
      .object(
        present: [
          ("number", .integer(entry.number)), ("time", .string(Timestamp.text(microseconds: entry.message.time))),
          ("socket", .integer(entry.socket.id)), ("lane", lane), ("title", .string(text.title)),
        ] + members.filter { $0.0 != "number" && $0.0 != "microseconds" })
    }
  }

  private mutating func steps(_ steps: ResponseTrace) -> Redacted<JSON> {
    Redacted.list(
      steps.steps.map { step in
        redactor.redact(message: step.text).map { text in
          JSON.object(
            ("rule", .string(step.rule)), ("outcome", .string(step.outcome.rawValue)), ("text", .string(text)))
        }
      }
    ).map { .array($0) }
  }

  private mutating func findings(of exchange: ServedRequest) -> Redacted<JSON> {
    redactor.findings(of: exchange).map { .array($0.map { .object(present: $0.members(.journal)) }) }
  }
}
