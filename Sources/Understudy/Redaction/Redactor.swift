/// Replaces secrets in everything that is written: logs, recordings, fixtures and reports.
///
/// One redactor serves one recording: the same secret gets the same placeholder in all of its exchanges, numbered in the
/// order of appearance, so that recording the same session twice gives the same files. Call `redact` for the exchanges in
/// their order; what was replaced is in `report`. `SecretScanner` checks files afterwards.
package struct Redactor: Sendable {
  private let contracts: [ContractSecrets]
  private let settings: RedactionSettings
  /// Secrets that are known beforehand, such as the tokens of a live run.
  let secrets: [Secret]
  private var known: KnownSecrets
  /// What was replaced so far.
  package private(set) var report = RedactionReport()

  /// How placeholders look.
  package enum Style: Sendable {
    /// Of the shape and length of the secret, and numbered.
    case typed
    /// `[redacted]`
    case marker
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
    known = KnownSecrets(isTyped: style == .typed)
    for secret in secrets { _ = known.placeholder(for: Array(secret.value.utf8)[...]) }
  }

  /// A redactor for new contracts that goes on with the placeholders and the report of this one.
  package func using(_ contracts: [ContractSecrets]) -> Redactor {
    var redactor = Redactor(contracts, settings: settings, secrets: secrets, style: known.isTyped ? .typed : .marker)
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
  package mutating func redact(_ exchange: inout ExchangeContent) -> [RedactionReport.Place] {
    let original = exchange
    _ = run(original.operation) { _ = $0.exchange(original) }
    let found = run(original.operation) { exchange = $0.exchange(original) }
    let places = found.map(\.place)
    for place in places { report.add(place) }
    return places
  }

  /// A text that is part of no exchange, such as a name or a message, without secrets.
  package mutating func redact(text: String) -> String {
    var result = text
    _ = run(nil) { pass in
      if let redacted = pass.text(Array(text.utf8)[...]) { result = String(decoding: redacted, as: UTF8.self) }
    }
    return result
  }

  /// A request target without secrets, those included that the fields of its request have as well.
  package func redacted(target: String, of request: HTTPRequest?, _ operation: Operation?) -> String {
    if var request, [.authorization, .cookie].contains(where: { request.headerFields[$0] != nil }) {
      request.path = target
      var redactor = self
      return redactor.redact(ExchangeContent(request, operation: operation)).request.path ?? target
    }
    // Most targets are a short path.
    let hasExpression = operation?.path.utf8.contains(UInt8(ascii: "{")) ?? false
    guard hasExpression || target.utf8.count > 24 || target.utf8.contains(where: { "?#;@%".utf8.contains($0) }) else {
      return target
    }
    var pass = RedactionPass(contracts: contracts, settings: settings, operation: operation, known: known)
    return pass.url(Array(target.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? target
  }

  /// Runs one pass. It takes the known secrets and gives them back, because a copy of them would cost more than the pass.
  private mutating func run(_ operation: Operation?, _ body: (inout RedactionPass) -> Void) -> [RedactionPass.Found] {
    var pass = RedactionPass(
      contracts: contracts, settings: settings, operation: operation, known: KnownSecrets(isTyped: known.isTyped))
    swap(&pass.known, &known)
    body(&pass)
    swap(&pass.known, &known)
    return pass.found
  }
}

extension RedactionPass {
  /// The exchange without secrets.
  mutating func exchange(_ exchange: ExchangeContent) -> ExchangeContent {
    var exchange = exchange
    (side, status) = (.request, nil)
    request(&exchange.request)
    let fields = exchange.request.headerFields
    exchange.requestBody = body(exchange.requestBody, fields, isDecoded: false)
    guard var response = exchange.response else { return exchange }
    (side, status) = (.response, response.status.code)
    response.headerFields = self.fields(response.headerFields)
    exchange.responseBody = body(
      exchange.responseBody, response.headerFields, isDecoded: exchange.isResponseDecoded)
    exchange.response = response
    return exchange
  }

  mutating func request(_ request: inout HTTPRequest) {
    if let target = request.path, let redacted = url(Array(target.utf8)[...]) {
      request.path = String(decoding: redacted, as: UTF8.self)
    }
    if let authority = request.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      request.authority = String(authority[authority.utf8.index(after: at)...])
    }
    request.headerFields = fields(request.headerFields)
  }

  /// A body in the content codings that it had. One that cannot be looked into is dropped: what it holds is unknown.
  private mutating func body(_ bytes: [UInt8], _ fields: HTTPFields, isDecoded: Bool) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    let type = fields.contentType.flatMap { MediaRange($0) }
    let schema = operation.flatMap { operation in
      contracts.lazy.compactMap { [status] in $0.schema(of: operation, status: status, type) }.first
    }
    let codings = isDecoded ? [] : fields.lines(named: "content-encoding")
    guard ContentCoding.isCoded(codings) else { return body(bytes, type, schema: schema) ?? bytes }
    guard case .decoded(let plain)? = try? ContentCoding.decode(bytes, codings) else {
      guard EncodedText.isPrintable(bytes) else { return [] }
      return body(bytes, type, schema: schema) ?? bytes
    }
    guard let redacted = body(plain, type, schema: schema) else { return bytes }
    return ContentCoding.encode(redacted, codings) ?? []
  }
}
