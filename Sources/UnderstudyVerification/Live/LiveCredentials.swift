/// The credentials of a live run, for every operation of a contract.
struct LiveCredentials: Sendable {
  private let schemes: [SecurityScheme]
  private let given: [String: String]
  /// The headers that are sent with every request, in lower case.
  private let sentHeaders: Set<String>

  /// Whether credentials are made up where none are given.
  private let invents: Bool

  init(
    _ schemes: [SecurityScheme], given: [String: String], headers: [(name: String, value: String)], invents: Bool = true
  ) {
    self.schemes = schemes
    self.invents = invents
    self.given = given
    sentHeaders = Set(headers.map { FieldSyntax.lowercased($0.name.utf8) })
  }

  /// Whether a security scheme of the contract has its credential in a header.
  func isPlace(ofHeader name: String) -> Bool {
    schemes.contains { scheme in
      header(of: scheme.kind).map { FieldSyntax.equalIgnoringCase($0.utf8, name.utf8) } ?? false
    }
  }

  /// Whether a parameter is where a scheme of an operation has its API key.
  func isPlace(of parameter: Parameter, in operation: Operation) -> Bool {
    operation.security.contains { $0.schemes.contains { scheme($0.name).map { isPlace(of: parameter, $0) } ?? false } }
  }

  /// Whether the good credentials of an operation are written in the place of a parameter.
  func writes(_ parameter: Parameter, for operation: Operation) -> Bool {
    alternative(of: operation, .good)?.schemes.contains { scheme($0.name).map { isPlace(of: parameter, $0) } ?? false }
      ?? false
  }

  private func isPlace(of parameter: Parameter, _ scheme: SecurityScheme) -> Bool {
    guard case .apiKey(let name, let place) = scheme.kind, place.rawValue == parameter.location.rawValue else {
      return false
    }
    return place == .header
      ? FieldSyntax.equalIgnoringCase(name.utf8, parameter.name.utf8) : name.utf8Equals(parameter.name)
  }

  /// Whether good credentials are known for an operation, so that wrong ones can be tried.
  func areGiven(for operation: Operation) -> Bool {
    operation.security.contains { requirement in
      !requirement.schemes.isEmpty && requirement.schemes.allSatisfy { isGiven($0.name) }
    }
  }

  /// The origin of the credentials that are written for an operation.
  func origin(of credentials: RequestDraft.Credentials, for operation: Operation) -> Ledger.Credentials {
    switch credentials {
    case .none: .none
    case .wrong: .invented
    case .good:
      if areGiven(for: operation) || !sentHeaders.isDisjoint(with: ["authorization", "cookie"]) {
        .given
      } else {
        alternative(of: operation, .good)?.schemes.isEmpty == false && invents ? .invented : .none
      }
    }
  }

  /// Whether an operation asks for credentials that the run does not have and does not make up.
  func areLeftOut(for operation: Operation) -> Bool {
    !invents && alternative(of: operation, .good)?.schemes.isEmpty == false && !areGiven(for: operation)
  }

  /// Writes the credentials of the first alternative with given ones, or without any, or of the first with invented
  /// ones.
  func write(
    _ credentials: RequestDraft.Credentials, for operation: Operation, _ fields: inout HTTPFields,
    _ query: inout [String], _ cookies: inout [String]
  ) {
    guard credentials != .none, let chosen = alternative(of: operation, credentials) else { return }
    for (name, _) in chosen.schemes {
      guard let scheme = scheme(name) else { continue }
      let value = credentials == .good ? given[name] : nil
      // The user sends the credential as a header with every request.
      if credentials == .good, value == nil, isSent(scheme) || !invents { continue }
      write(value ?? Self.invented(scheme.kind), scheme.kind, &fields, &query, &cookies)
    }
  }

  private func alternative(
    of operation: Operation, _ credentials: RequestDraft.Credentials
  ) -> SecurityRequirement? {
    let alternatives = operation.security
    return alternatives.first { !$0.schemes.isEmpty && $0.schemes.allSatisfy { isGiven($0.name) } }
      ?? (credentials == .good ? alternatives.first { $0.schemes.isEmpty } : nil) ?? alternatives.first
  }

  private func write(
    _ value: String, _ kind: SecurityScheme.Kind, _ fields: inout HTTPFields, _ query: inout [String],
    _ cookies: inout [String]
  ) {
    switch kind {
    case .apiKey(let name, .header): if let name = HTTPField.Name(name) { fields[name] = value }
    case .apiKey(let name, .query): query.append("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))")
    case .apiKey(let name, .cookie): cookies.append("\(name)=\(PercentEncoding.encode(value))")
    case .http("basic"): fields[.authorization] = "Basic " + Base64.encode(Array(value.utf8))
    case .http(let scheme): fields[.authorization] = "\(scheme == "bearer" ? "Bearer" : scheme) \(value)"
    case .oauth2, .openIdConnect: fields[.authorization] = "Bearer \(value)"
    case .apiKey, .mutualTLS, .unknown: break
    }
  }

  /// A well-formed, invalid credential: an unsigned JSON Web Token without claims where a token is expected.
  private static func invented(_ kind: SecurityScheme.Kind) -> String {
    switch kind {
    case .http("basic"): "understudy:understudy"
    case .http("bearer"), .oauth2, .openIdConnect: "e30.e30.c2ln"
    default: "understudy"
    }
  }

  private func scheme(_ name: String) -> SecurityScheme? { schemes.first { $0.name.utf8.elementsEqual(name.utf8) } }

  private func isGiven(_ name: String) -> Bool { given[name] != nil || scheme(name).map(isSent) ?? false }

  private func isSent(_ scheme: SecurityScheme) -> Bool {
    header(of: scheme.kind).map { sentHeaders.contains(FieldSyntax.lowercased($0.utf8)) } ?? false
  }

  private func header(of kind: SecurityScheme.Kind) -> String? {
    switch kind {
    case .apiKey(let name, .header): name
    case .apiKey(_, .cookie): "Cookie"
    case .http, .oauth2, .openIdConnect: "Authorization"
    case .apiKey, .mutualTLS, .unknown: nil
    }
  }
}
