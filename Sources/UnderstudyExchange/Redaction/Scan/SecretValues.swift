/// The secrets of one message, for hiding them in texts about it.
package struct SecretValues {
  private var places: Set<String> = []
  /// The secrets in quotes, whole and as messages shorten them.
  private var values: [String] = []
  /// The spellings of secret numbers, which messages do not quote.
  private var numbers: Set<String> = []
  private let pass: RedactionPass
  private let contract: ContractSecrets
  private let operation: Operation?
  private let status: Int?
  private let type: MediaRange?
  private let body: [UInt8]
  private let arguments: [JSON]

  /// Longer bodies are not searched while a client waits; their secrets are found by the places and the messages.
  private static let bodyLimit = 16_384

  /// - Parameter arguments: The schemas of the elements of the response's body, if it is the list of the arguments of an
  ///   event.
  package init(
    _ exchange: Exchange, of operation: Operation?, _ contract: ContractSecrets, arguments: [JSON] = []
  ) {
    self.contract = contract
    self.operation = operation
    self.arguments = arguments
    var exchange = exchange
    exchange.keepBodies(upTo: Self.bodyLimit)
    let response = exchange.response
    status = response?.status
    type = (response?.fields ?? exchange.requestFields).contentType.flatMap { MediaRange($0) }
    body = (response?.body ?? exchange.requestBody).bytes
    var pass = RedactionPass(
      contracts: [contract], settings: RedactionSettings(), operation: operation, known: KnownSecrets(.marker))
    // In the second pass echoes are found as well.
    for _ in 0..<2 {
      _ = ExchangeRedactor(pass: pass, argumentSchemas: arguments).redact(exchange)
      for found in pass.found {
        places.insert(FieldSyntax.lowercased(found.place.pointer.utf8))
        let start = JSON.string(String(decoding: found.start, as: UTF8.self))
        if found.count <= RedactionPass.startLimit { values.append(JSONWriter.text(start)) }
        values.append(start.shownInMessages)
        if found.start.allSatisfy(Self.isOfNumber) { numbers.insert(start.text) }
      }
      pass = RedactionPass(contracts: [contract], settings: pass.settings, operation: operation, known: pass.known)
    }
    pass.isMessage = true
    self.pass = pass
  }

  /// Whether a place of the message holds a secret: `/query/token`.
  func isSecret(_ pointer: String) -> Bool {
    if places.contains(found(pointer)) { return true }
    if markedPlace(pointer) != nil { return true }
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1 else { return false }
    let position: SecretNames.Position
    switch tokens[0] {
    case "header": position = .header
    case "query": position = .query
    case "path": position = .path
    case "cookie": return true
    case "body", "arguments": position = .member
    default: return false
    }
    return tokens.dropFirst().contains { name in
      SecretNames.strength(of: name, as: position) == .strong || contract.isSecret(member: name)
        || position.location.map { contract.isScheme(name, $0) || contract.isSecret(name, $0) } ?? false
    }
  }

  /// The pointer to the outermost value at or around a location that a schema marks as a secret, without secret names.
  func markedPlace(_ pointer: String) -> String? {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 0 else { return nil }
    let depth: Int?
    if tokens[0] == "arguments", tokens.count > 1, let position = Int(tokens[1]), arguments.indices.contains(position) {
      let schema = contract.schema(ofArgument: arguments[position])
      depth = ContractSecrets.depthOfSecret(at: tokens.dropFirst(2), from: schema).map { $0 + 1 }
    } else if tokens[0] == "body", let operation {
      depth = contract.depthOfSecret(at: tokens.dropFirst(), of: operation, status: status, type)
    } else if let location = Parameter.Location(rawValue: tokens[0]) {
      // The parameter itself is found by its name.
      depth = contract.secretNames(in: Array(tokens.dropFirst()), location).min()
    } else {
      depth = nil
    }
    return depth.map { JSONPointer(Array(tokens.prefix($0 + 1))).description }
  }

  /// The pointer as `places` has it: the arguments of an event are searched as a body.
  private func found(_ pointer: String) -> String {
    let lower = FieldSyntax.lowercased(pointer.utf8)
    return lower.hasPrefix("/arguments") ? "/body" + lower.dropFirst("/arguments".count) : lower
  }

  func isAroundSecret(_ pointer: String) -> Bool {
    let start = found(pointer) + "/"
    return places.contains { $0.utf8.starts(with: start.utf8) }
  }

  /// Whether a place of the body has `null`, which keeps nothing secret.
  func isNull(_ pointer: String) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, ["body", "arguments"].contains(tokens.first),
      let root = try? JSONParser.parse(body).root
    else { return false }
    return root[JSONPointer(Array(tokens.dropFirst()))]?.isNull == true
  }

  package func masked(_ text: String) -> String {
    // A short value is recognized by its quotes.
    let masked = values.reduce(text) { $0.replacing($1, with: "\"\(Placeholder.marker)\"") }
    return pass.texts.redact(Array(masked.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? masked
  }

  func maskedNumbers(_ text: String) -> String {
    guard !numbers.isEmpty else { return text }
    var result = ""
    var rest = Substring(text)
    while let start = rest.utf8.firstIndex(where: Self.isOfNumber) {
      let number = rest[start...].prefix { $0.utf8.allSatisfy(Self.isOfNumber) }
      result += rest[..<start]
      result += numbers.contains(String(number)) ? Placeholder.marker : String(number)
      rest = rest[number.endIndex...]
    }
    return result + rest
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool { 48...57 ~= byte || "+-.eE".utf8.contains(byte) }
}
