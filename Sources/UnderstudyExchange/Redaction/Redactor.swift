/// Replaces secrets in everything that is written: logs, recordings, fixtures and reports.
///
/// One redactor serves one recording: the same secret gets the same placeholder in all of its exchanges, numbered in the
/// order of appearance, so that recording the same session twice gives the same files. Call `redact` for the exchanges in
/// their order; what was replaced is in `report`. `SecretScanner` checks files afterwards.
package struct Redactor: Sendable {
  private let contracts: [ContractSecrets]
  private let settings: RedactionSettings
  /// Secrets that are known beforehand, such as the tokens of a live run.
  package let secrets: [Secret]
  private var known: KnownSecrets
  package var placeholders: Set<[UInt8]> { known.made }
  package private(set) var report = RedactionReport()

  /// The shell variable that replaces each spelling of a known secret in a command line.
  package var variables: [(spelling: String, name: String)] {
    secrets.flatMap { secret in secret.spellings.map { ($0, secret.variable) } }
  }

  package enum Style: Sendable {
    /// Of the shape and length of the secret, and numbered.
    case typed
    /// `[redacted]`
    case marker
    /// `[redacted 2]`: another number for another secret
    case numbered(SecretNumbers)
  }

  /// - Parameters:
  ///   - contracts: `CompiledContract.secrets` of each contract.
  ///   - secrets: Values that are secret wherever they stand.
  package init(
    _ contracts: [ContractSecrets] = [], settings: RedactionSettings = RedactionSettings(), secrets: [Secret] = [],
    style: Style = .typed
  ) {
    self.contracts = contracts
    self.settings = settings
    self.secrets = secrets
    known = KnownSecrets(style)
    for secret in secrets { _ = known.placeholder(for: Array(secret.value.utf8)[...]) }
  }

  /// A redactor for new contracts that goes on with the placeholders and the report of this one.
  package func using(_ contracts: [ContractSecrets]) -> Redactor {
    var redactor = Redactor(contracts, settings: settings, secrets: secrets, style: known.style)
    redactor.known = known
    redactor.report = report
    return redactor
  }

  /// Removes the secrets of an exchange and of its findings, and lists their places. Bodies without secrets stay byte for
  /// byte; the messages of a socket are left out. The schemas of `operation` show more secrets than names alone.
  package mutating func redact(_ exchange: Exchange, of operation: Operation? = nil) -> Redacted<Exchange> {
    var clean = redact(exchange, of: operation, arguments: [])
    clean.findings = redact(clean.findings).value
    clean.notValidated = redact(clean.notValidated).value
    clean.lane = clean.lane.map { hidingKnown(in: $0).value }
    if case .missing(let reason, let duration) = clean.outcome {
      clean.outcome = .missing(redact(reason, isMessage: true), after: duration)
    }
    // The schemas of events decide about messages: `redact(arguments:_:handshake:)`.
    clean.socket = nil
    return Redacted(clean)
  }

  /// Removes the secrets of the arguments of an event.
  /// - Parameters:
  ///   - list: A list in JSON.
  ///   - handshake: The request of the socket: a message may repeat its secrets.
  package mutating func redact(
    arguments list: [UInt8], _ schemas: [JSON], handshake: HTTPRequest? = nil
  ) -> Redacted<[UInt8]> {
    var exchange = Exchange(arguments: list)
    if let handshake { exchange.request = handshake }
    return Redacted(redact(exchange, of: nil, arguments: schemas).response?.body.bytes ?? [])
  }

  private mutating func redact(_ exchange: Exchange, of operation: Operation?, arguments: [JSON]) -> Exchange {
    var clean = exchange
    // A response shows secrets that the request has in another place, so the first pass only learns.
    _ = run(operation) { _ = ExchangeRedactor(pass: $0, argumentSchemas: arguments).redact(exchange) }
    let found = run(operation) { clean = ExchangeRedactor(pass: $0, argumentSchemas: arguments).redact(exchange) }
    for place in found.map(\.place) {
      report.add(place)
      clean.redactedPlaces.append("\(place.side.rawValue) \(place.pointer)")
    }
    return clean
  }

  /// Learns the secrets of an exchange, to find them elsewhere.
  package mutating func learn(_ exchange: Exchange, of operation: Operation? = nil) {
    _ = redact(exchange, of: operation, arguments: [])
  }

  package mutating func redact(_ findings: [Diagnostic]) -> Redacted<[Diagnostic]> {
    Redacted(findings.map { finding in finding.redacted { redact($0, isMessage: true) } })
  }

  package mutating func redact(_ finding: Diagnostic) -> Redacted<Diagnostic> {
    Redacted(finding.redacted { redact($0, isMessage: true) })
  }

  /// Removes the secrets of the reasons why something was not validated.
  package mutating func redact(
    _ items: [ValidationResult.NotValidated]
  ) -> Redacted<[ValidationResult.NotValidated]> {
    Redacted(items.map { item in item.redacted { redact($0, isMessage: true) } })
  }

  /// Removes the secrets of a string that is part of no exchange, such as a name.
  package mutating func redact(text: String) -> Redacted<String> { Redacted(redact(text, isMessage: false)) }

  /// Removes the secrets of a member's value: the name of the member may show that the value is one.
  package mutating func redact(value: String, named name: String) -> Redacted<String> {
    redact(text: JSONWriter.text(.object([(name, .string(value))]))).map { text in
      let document = try? JSONParser.parse(Array(text.utf8))
      return document?.root.members.first(where: { _ in true })?.value.text ?? Placeholder.marker
    }
  }

  /// Removes the secrets that a message of this program quotes.
  package mutating func redact(message: String) -> Redacted<String> { Redacted(redact(message, isMessage: true)) }

  private mutating func redact(_ text: String, isMessage: Bool) -> String {
    var result = text
    _ = run(nil) { pass in
      pass.isMessage = isMessage
      if let redacted = pass.texts.redact(Array(text.utf8)[...]) { result = String(decoding: redacted, as: UTF8.self) }
    }
    return result
  }

  /// Removes the secrets that were found so far, in any encoding; what only looks like a secret stays.
  package func hidingKnown(in text: String) -> Redacted<String> {
    Redacted(
      hidingKnown(in: Array(text.utf8), MediaRange("text/plain")).map { String(decoding: $0, as: UTF8.self) } ?? text)
  }

  package func hidingKnown(in finding: Diagnostic) -> Redacted<Diagnostic> {
    Redacted(finding.redacted { hidingKnown(in: $0).value })
  }

  /// The same for a file; `nil` if it has none.
  package func hidingKnown(in bytes: [UInt8], _ type: MediaRange?) -> [UInt8]? {
    let others = Rule.redaction.map(\.id).filter { $0 != Rule.redactEcho.id }
    let settings = RedactionSettings(
      off: settings.off.union(others), places: settings.places.filter { !$0.isSecret })
    let pass = RedactionPass(contracts: [], settings: settings, operation: nil, known: known)
    return pass.bodies.redact(bytes, type, schema: nil)
  }

  /// Whether a target is a short path of the contract, as most are.
  package static func isPlain(_ target: String, of template: String?) -> Bool {
    guard let template, target.utf8.count <= 24 else { return false }
    return !target.utf8.contains { "?#;@%".utf8.contains($0) } && !template.utf8.contains(UInt8(ascii: "{"))
  }

  /// Removes the secrets of a request target, those included that the fields of its request have as well.
  package func redacted(target: String, of request: HTTPRequest?, _ compiled: CompiledOperation?) -> Redacted<String> {
    Redacted(hiding(target, of: request, compiled))
  }

  private func hiding(_ target: String, of request: HTTPRequest?, _ compiled: CompiledOperation?) -> String {
    if Self.isPlain(target, of: compiled?.operation.path) { return target }
    let operation = compiled?.operation
    // The path may repeat a secret of the query.
    if var request,
      target.utf8.contains(UInt8(ascii: "?")) || request.headerFields.contains(where: { mayBeSecret($0.name.rawName) })
    {
      request.path = target
      var redactor = self
      return redactor.redact(Exchange(request), of: operation).value.request.path ?? target
    }
    let pass = RedactionPass(contracts: contracts, settings: settings, operation: operation, known: known)
    return pass.urls.redact(Array(target.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? target
  }

  private func mayBeSecret(_ header: String) -> Bool {
    SecretNames.strength(of: header, as: .header) >= .weak || contracts.contains { $0.isScheme(header, .header) }
  }

  /// Runs one pass. It takes the known secrets and gives them back, because a copy of them would cost more than the pass.
  private mutating func run(_ operation: Operation?, _ body: (RedactionPass) -> Void) -> [RedactionPass.Found] {
    let pass = RedactionPass(
      contracts: contracts, settings: settings, operation: operation, known: KnownSecrets(known.style))
    swap(&pass.known, &known)
    body(pass)
    swap(&pass.known, &known)
    return pass.found
  }
}
