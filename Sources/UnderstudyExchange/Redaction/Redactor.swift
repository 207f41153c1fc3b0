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
  /// The placeholders so far.
  package var placeholders: Set<[UInt8]> { known.made }
  /// What was replaced so far.
  package private(set) var report = RedactionReport()

  /// The shell variable that replaces each spelling of a known secret in a command line.
  package var variables: [(spelling: String, name: String)] {
    secrets.flatMap { secret in secret.spellings.map { ($0, secret.variable) } }
  }

  /// How placeholders look.
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

  /// The exchange without its secrets. Bodies without secrets stay byte for byte.
  package mutating func redact(_ exchange: ExchangeContent) -> ExchangeContent {
    var copy = exchange
    _ = redact(&copy)
    return copy
  }

  /// Removes the secrets of an exchange, and returns their places.
  package mutating func redact(_ exchange: inout ExchangeContent) -> [RedactionReport.RedactedPlace] {
    let original = exchange
    _ = run(original.operation) { _ = ExchangeRedactor(pass: $0).redact(original) }
    let found = run(original.operation) { exchange = ExchangeRedactor(pass: $0).redact(original) }
    let places = found.map(\.place)
    for place in places { report.add(place) }
    return places
  }

  /// A text that is part of no exchange, such as a name or a message, without secrets.
  package mutating func redact(text: String) -> String { redact(text, isMessage: false) }

  /// The value of a member of an object without secrets: its name may show that it is one.
  package mutating func redact(value: String, named name: String) -> String {
    let text = redact(text: JSONWriter.text(.object([(name, .string(value))])))
    guard let member = try? JSONParser.parse(Array(text.utf8)).root.members.first(where: { _ in true }) else {
      return Placeholder.marker
    }
    return member.value.text
  }

  /// A message of this program without the secrets that it quotes.
  package mutating func redact(message: String) -> String { redact(message, isMessage: true) }

  private mutating func redact(_ text: String, isMessage: Bool) -> String {
    var result = text
    _ = run(nil) { pass in
      pass.isMessage = isMessage
      if let redacted = pass.texts.redact(Array(text.utf8)[...]) { result = String(decoding: redacted, as: UTF8.self) }
    }
    return result
  }

  /// A text without the secrets that were found so far, in any encoding; what only looks like one stays.
  package func hidingKnown(in text: String) -> String {
    hidingKnown(in: Array(text.utf8), MediaRange("text/plain")).map { String(decoding: $0, as: UTF8.self) } ?? text
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
  ///
  /// - Parameter template: The path of the operation.
  package static func isPlain(_ target: String, of template: String?) -> Bool {
    guard let template, target.utf8.count <= 24 else { return false }
    return !target.utf8.contains { "?#;@%".utf8.contains($0) } && !template.utf8.contains(UInt8(ascii: "{"))
  }

  /// A request target without secrets, those included that the fields of its request have as well.
  package func redacted(target: String, of request: HTTPRequest?, _ compiled: CompiledOperation?) -> String {
    if Self.isPlain(target, of: compiled?.operation.path) { return target }
    let operation = compiled?.operation
    // The path may repeat a secret of the query.
    if var request,
      target.utf8.contains(UInt8(ascii: "?")) || request.headerFields.contains(where: { mayBeSecret($0.name.rawName) })
    {
      request.path = target
      var redactor = self
      return redactor.redact(ExchangeContent(request, operation: operation)).request.path ?? target
    }
    let pass = RedactionPass(contracts: contracts, settings: settings, operation: operation, known: known)
    return pass.urls.redact(Array(target.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? target
  }

  /// Whether a header may have a secret that the path repeats.
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
