import UnderstudySystem

/// Writes a ledger as NDJSON without secrets: a line about the run, then a line for each exchange.
package struct LedgerFile {
  /// The version of the layout. Later releases may add members, but not change their meaning.
  static let format = 1

  private let ledger: Ledger
  private let run: Report.Run
  private var redactor: Redactor

  package init(_ ledger: Ledger, of run: Report.Run, secrets: [Secret]) {
    (self.ledger, self.run) = (ledger, run)
    let contracts = ledger.entries.compactMap(\.operation).reduce(into: [String: ContractSecrets]()) {
      known, operation in
      if known[operation.api.name] == nil { known[operation.api.name] = operation.secrets }
    }
    redactor = Redactor(contracts.sorted { $0.key < $1.key }.map(\.value), secrets: secrets)
  }

  package mutating func bytes() -> [UInt8] {
    let head: JSON = .object(
      ("ledger", .integer(Self.format)), ("target", run.target.map(JSON.string)), ("seed", run.seed.map(JSON.string)),
      ("startedAt", .string(run.startedAt)), ("contracts", .array(run.contracts.map { .string($0.path) })),
      ("requests", .integer(ledger.count)), ("omitted", ledger.omitted > 0 ? .integer(ledger.omitted) : nil),
      ("abortedBecause", run.abortedBecause.map { .string(redactor.redact(message: $0).value) }))
    var bytes = JSONWriter.bytes(head) + [10]
    for entry in ledger.entries { bytes += JSONWriter.bytes(line(entry).value) + [10] }
    return bytes
  }

  private mutating func line(_ entry: Ledger.Entry) -> Redacted<JSON> {
    let label = redactor.redact(message: entry.label).value
    return redactor.redact(entry.exchange, of: entry.operation?.operation).map { exchange in
      .object(
        ("number", .integer(entry.number)), ("kind", .string(entry.kind.rawValue)),
        ("contract", (entry.operation?.api.name).map(JSON.string)),
        ("operation", (entry.operation?.operation.id).map(JSON.string)),
        ("about", label.isEmpty ? nil : .string(label)),
        ("breaks", entry.violation.map { .string($0.rawValue) }),
        ("credentials", .string(entry.credentials.rawValue)),
        ("restsOn", entry.bases.isEmpty ? nil : .array(entry.bases.map { .integer($0) })),
        ("startedAt", exchange.startedAt.map { .string(Timestamp.text(microseconds: $0)) }),
        ("microseconds", exchange.duration.map { .integer(Int($0 / .microseconds(1))) }),
        ("request", Self.request(exchange)), ("response", Self.response(exchange)),
        ("missing", Self.missing(exchange)))
    }
  }

  private static func request(_ exchange: Exchange) -> JSON {
    .object(
      present: [("method", .string(exchange.method)), ("url", .string(exchange.url))]
        + message(exchange.requestFields, exchange.requestBody))
  }

  private static func response(_ exchange: Exchange) -> JSON? {
    guard let response = exchange.response else { return nil }
    return .object(
      present: [("status", .integer(response.status))] + message(response.fields, response.body)
        + [("defect", response.defect.map(JSON.string))])
  }

  private static func missing(_ exchange: Exchange) -> JSON? {
    if case .missing(let reason, _) = exchange.outcome { .string(reason) } else { nil }
  }

  private static func message(_ fields: HTTPFields, _ body: ExchangeBody) -> [(String, JSON?)] {
    let bytes = body.bytes
    let text = String(validating: bytes, as: UTF8.self)
    return [
      ("headers", .array(fields.map { .array([.string($0.name.rawName), .string($0.value)]) })),
      ("body", bytes.isEmpty ? nil : text.map(JSON.string)),
      ("base64", bytes.isEmpty || text != nil ? nil : .string(Base64.encode(bytes))),
      ("unknownBody", body.reason.map(JSON.string)),
    ]
  }
}

extension LedgerFile {
  /// Writes a file that only its owner reads; a link or a device is written as it is.
  package mutating func write(to path: String) throws(FileProblem) {
    let bytes = bytes()
    switch FileStatus(of: path)?.kind {
    case .folder, .link, .other: return try FileSystem.replace(path, with: bytes)
    case .regular, nil: break
    }
    let draft = "\(path).\(getpid()).part"
    do throws(FileProblem) {
      try FileSystem.write(bytes, to: draft, isPrivate: true)
    } catch {
      unlink(draft)
      throw FileProblem(error.kind, path, error.message, help: error.help)
    }
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw FileSystem.problem(path, code)
    }
  }
}
