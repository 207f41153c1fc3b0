/// What is validated of a request only when it is asked for: headers that nobody declared, the server, leaking secrets.
struct RequestPlaces: Sendable {
  private let operation: Operation
  private let headers: Set<String>
  /// The query keys of all schemes of the contract, and of those that the operation takes.
  private let keys: [String]
  private let ownKeys: [String]

  init(_ operation: Operation, _ schemes: [SecurityScheme]) {
    self.operation = operation
    var headers: Set<String> = []
    var keys: [String] = []
    var ownKeys: [String] = []
    let taken = operation.security.flatMap { $0.schemes.map(\.name) }
    for parameter in operation.parameters where parameter.location == .header {
      headers.insert(FieldSyntax.lowercased(parameter.name.utf8))
    }
    for scheme in schemes {
      switch scheme.kind {
      case .apiKey(let name, .header): headers.insert(FieldSyntax.lowercased(name.utf8))
      case .apiKey(let name, .query):
        keys.append(name)
        if taken.contains(where: { $0.utf8Equals(scheme.name) }) { ownKeys.append(name) }
      default: break
      }
    }
    self.headers = headers
    self.keys = keys
    self.ownKeys = ownKeys
  }

  /// Whether a name in the query is that of a credential which the operation takes.
  func isKey(_ name: String) -> Bool { ownKeys.contains { $0.utf8Equals(name) } }

  func validate(
    _ request: RequestView, _ input: ParameterInput, _ options: ValidationOptions, into result: inout ValidationResult
  ) {
    if options.wants(.requestHeaderUndeclared) { validateHeaders(request, options, &result) }
    if options.wants(.requestServerUnknown) { validateServer(request, &result) }
    if options.wants(.requestCredentialLeak) { validateLeaks(request, input, &result) }
  }

  private func validateHeaders(_ request: RequestView, _ options: ValidationOptions, _ result: inout ValidationResult) {
    var seen = headers
    for field in request.request.headerFields {
      let name = field.name.rawName
      guard !options.ignoresHeader(name), seen.insert(FieldSyntax.lowercased(name.utf8)).inserted else { continue }
      result.report(
        .requestHeaderUndeclared, "\(operation.id) knows no header `\(name)`",
        at: "/header/\(JSONPointer.escape(name))")
    }
  }

  /// A server without a host, or with a variable in it, takes any.
  private func validateServer(_ request: RequestView, _ result: inout ValidationResult) {
    guard let authority = request.request.authority ?? request.request.headerFields.lines(named: "host").first else {
      return
    }
    let hosts = operation.servers.map { URIReference($0.url).authority }
    let isKnown = hosts.contains { host in
      guard let host, !host.utf8.contains(UInt8(ascii: "{")) else { return true }
      return FieldSyntax.equalIgnoringCase(host.utf8, authority.utf8)
    }
    result.checked += 1
    guard !isKnown, !hosts.isEmpty else { return }
    result.report(
      .requestServerUnknown, "no server of the contract is `\(authority)`", at: "/header/Host",
      contract: operation.servers.first?.node,
      help: "it names \(hosts.compactMap { $0 }.joined(separator: ", "))")
  }

  private func validateLeaks(_ request: RequestView, _ input: ParameterInput, _ result: inout ValidationResult) {
    result.checked += 1
    for key in keys where input.query.names.contains(where: { $0.utf8.elementsEqual(key.utf8) }) {
      result.report(
        .requestCredentialLeak, "the key `\(key)` is in the query, which logs and histories keep",
        at: "/query/\(JSONPointer.escape(key))")
    }
    guard request.request.scheme == "http", !request.request.headerFields.lines(named: "authorization").isEmpty else {
      return
    }
    result.report(
      .requestCredentialLeak, "the credential was sent over http, where everyone on the way can read it",
      at: "/header/Authorization")
  }
}
