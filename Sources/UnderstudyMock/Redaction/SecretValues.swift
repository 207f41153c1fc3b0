/// The secrets of one message, for hiding them in texts about it.
package struct SecretValues {
  private var places: Set<String> = []
  /// In quotes.
  private var values: [String] = []
  private let pass: RedactionPass
  private let contract: ContractSecrets
  private let operation: Operation?
  private let status: Int?
  private let type: MediaRange?
  private let body: [UInt8]

  /// Longer bodies are not searched, because this runs while a client waits. Their secrets are found by the places and by
  /// the messages alone.
  private static let bodyLimit = 16_384

  package init(_ exchange: ExchangeContent, _ contract: ContractSecrets) {
    self.contract = contract
    operation = exchange.operation
    status = exchange.response?.status.code
    type = (exchange.response?.headerFields ?? exchange.request.headerFields).contentType.flatMap { MediaRange($0) }
    var exchange = exchange
    if exchange.requestBody.count > Self.bodyLimit { exchange.requestBody = [] }
    if exchange.responseBody.count > Self.bodyLimit { exchange.responseBody = [] }
    body = exchange.response == nil ? exchange.requestBody : exchange.responseBody
    var pass = RedactionPass(
      contracts: [contract], settings: RedactionSettings(), operation: operation, known: KnownSecrets(.marker))
    // In the second pass echoes are found as well.
    for _ in 0..<2 {
      _ = ExchangeRedactor(pass: pass).redact(exchange)
      for found in pass.found {
        places.insert(FieldSyntax.lowercased(found.place.pointer.utf8))
        // Messages quote at most 80 characters.
        if found.count <= 320 {
          values.append(JSONWriter.text(.string(String(decoding: found.start, as: UTF8.self))))
        }
      }
      pass = RedactionPass(contracts: [contract], settings: pass.settings, operation: operation, known: pass.known)
    }
    pass.isMessage = true
    self.pass = pass
  }

  /// Whether a place of the message holds a secret: `/query/token`.
  func isSecret(_ pointer: String) -> Bool {
    if places.contains(FieldSyntax.lowercased(pointer.utf8)) { return true }
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1 else { return false }
    let position: SecretNames.Position
    switch tokens[0] {
    case "header": position = .header
    case "query": position = .query
    case "cookie": return true
    case "body", "path": position = .member
    default: return false
    }
    if tokens[0] == "body", let operation,
      contract.isSecret(tokens.dropFirst(), of: operation, status: status, type)
    {
      return true
    }
    return tokens.dropFirst().contains { name in
      SecretNames.strength(of: name, as: position) == .strong || contract.isSecret(member: name)
        || position.location.map { contract.isScheme(name, $0) || contract.isSecret(name, $0) } ?? false
    }
  }

  /// Whether a place of the body has `null`, which keeps nothing secret.
  func isNull(_ pointer: String) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.first == "body", let root = try? JSONParser.parse(body).root
    else { return false }
    return root[JSONPointer(Array(tokens.dropFirst()))]?.isNull == true
  }

  /// A text without the values of secrets.
  package func masked(_ text: String) -> String {
    // A short value is recognized by its quotes.
    let masked = values.reduce(text) { $0.replacing($1, with: "\"\(Placeholder.marker)\"") }
    return pass.texts.redact(Array(masked.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? masked
  }
}
