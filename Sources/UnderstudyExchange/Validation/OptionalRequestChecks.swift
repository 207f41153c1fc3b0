/// The request checks that run only when they are enabled: undeclared headers, unknown servers, leaked credentials.
struct OptionalRequestChecks: Sendable {
  private let operation: Operation
  /// The declared headers, in lower case.
  private var headers: Set<String> = []
  /// The query keys of all security schemes of the contract, and of those that the operation takes.
  private var keys: [String] = []
  private var ownKeys: [String] = []

  init(_ operation: Operation, _ schemes: [SecurityScheme]) {
    self.operation = operation
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
  }

  /// Whether a query parameter is a credential that the operation takes.
  func isKey(_ name: String) -> Bool { ownKeys.contains { $0.utf8Equals(name) } }

  func validate(_ view: RequestView, _ options: ValidationOptions, into result: inout ValidationResult) {
    if options.wants(.requestHeaderUndeclared) {
      for name in options.undeclaredHeaders(in: view.request.headerFields, besides: headers) {
        result.report(
          .requestHeaderUndeclared, "\(operation.id) declares no header `\(name)`",
          at: "/header/\(JSONPointer.escape(name))")
      }
    }
    if options.wants(.requestServerUnknown) { validateServer(view.request, &result) }
    if options.wants(.requestCredentialLeak) { validateLeaks(view.request, view.input.query, &result) }
  }

  /// A server without a host, or with a variable in it, matches any host.
  private func validateServer(_ request: HTTPRequest, _ result: inout ValidationResult) {
    guard let authority = request.authority ?? request.headerFields.lines(named: "host").first else { return }
    result.checked += 1
    let hosts = operation.servers.map { URIReference($0.url).authority }
    let isKnown = hosts.contains { host in
      guard let host, !host.utf8.contains(UInt8(ascii: "{")) else { return true }
      return FieldSyntax.equalIgnoringCase(host.utf8, authority.utf8)
    }
    guard !isKnown, !hosts.isEmpty else { return }
    result.report(
      .requestServerUnknown, "no server of the contract is `\(authority)`", at: "/header/Host",
      contract: operation.servers.first?.node,
      help: "it names \(hosts.compactMap { $0 }.joined(separator: ", "))")
  }

  private func validateLeaks(_ request: HTTPRequest, _ query: WirePairs, _ result: inout ValidationResult) {
    result.checked += 1
    for key in keys where query.names.contains(where: { $0.utf8Equals(key) }) {
      result.report(
        .requestCredentialLeak, "the key `\(key)` is in the query, which logs and histories keep",
        at: "/query/\(JSONPointer.escape(key))")
    }
    guard request.scheme == "http", !request.headerFields.lines(named: "authorization").isEmpty else { return }
    result.report(
      .requestCredentialLeak, "the credential was sent over http, where everyone on the way can read it",
      at: "/header/Authorization")
  }
}
