/// The secrets of one message, for hiding them in texts about it.
package struct SecretValues {
  private var places: Set<String> = []
  private var values: [String] = []
  private var known: KnownSecrets
  private let contract: ContractSecrets
  private let operation: Operation?
  private let status: Int?
  private let type: MediaRange?

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
    known = KnownSecrets(isTyped: false)
    // In the second pass echoes are found as well.
    for _ in 0..<2 {
      let pass = RedactionPass(
        contracts: [contract], settings: RedactionSettings(), operation: exchange.operation, known: known)
      _ = ExchangeRedactor(pass: pass).redact(exchange)
      known = pass.known
      for found in pass.found {
        places.insert(FieldSyntax.lowercased(found.place.pointer.utf8))
        // Messages quote at most 80 characters.
        if found.count <= 320 { values.append(String(decoding: found.start, as: UTF8.self)) }
      }
    }
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

  /// A text without the values of secrets.
  package func masked(_ text: String) -> String {
    // A short value is recognized by its quotes.
    var masked = values.reduce(text) { text, value in
      text.replacing(JSONWriter.text(.string(value)), with: "\"\(Placeholder.marker)\"")
    }
    let pass = RedactionPass(
      contracts: [contract], settings: RedactionSettings(), operation: operation, known: known)
    if let result = pass.texts.redact(Array(masked.utf8)[...]) { masked = String(decoding: result, as: UTF8.self) }
    return masked
  }
}
