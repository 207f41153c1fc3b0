/// Checks the credentials that an operation requires (OAS 3.1, 4.8.30): presence, form, and tokens by a `TokenCheck`.
package struct SecurityCheck: Sendable {
  package enum Outcome: Sendable {
    /// One alternative is met by these credentials; none if anonymous calls are allowed, or credentials are not collected.
    case satisfied([Credential])
    /// The nearest alternative requires something that a request does not show, such as a client certificate.
    case unvalidated(String)
    /// No alternative is met, and no credential is malformed.
    case missing([Alternative])
    /// No alternative is met, and a credential is malformed.
    case malformed([Alternative])
  }

  package struct Credential: Sendable, Equatable {
    package var scheme: String
    /// The secret itself, without `Bearer `: for scenarios, never for messages.
    package var value: String
  }

  package struct Alternative: Sendable, Equatable {
    package var schemes: [String]
    package var lacks: [Lack]
  }

  package struct Lack: Sendable, Equatable {
    package var scheme: String
    /// The part of the request where it belongs: `/header`, `/query`.
    package var place: String
    package var isMalformed: Bool
    /// `header `idtoken` is missing`
    package var sentence: String

    fileprivate init(of scheme: Scheme, isMalformed: Bool, _ sentence: String) {
      self.scheme = scheme.name
      place = scheme.reader.place
      self.isMalformed = isMalformed
      self.sentence = sentence
    }
  }

  private let alternatives: [[Scheme]]
  let namesScopes: Bool

  fileprivate final class Scheme: Sendable {
    let name: String
    let reader: CredentialReader
    let mayBeToken: Bool
    /// Whether `bearerFormat` is JWT.
    let promisesToken: Bool
    let scopes: [String]

    init(name: String, reader: CredentialReader, mayBeToken: Bool, promisesToken: Bool, scopes: [String]) {
      self.name = name
      self.reader = reader
      self.mayBeToken = mayBeToken
      self.promisesToken = promisesToken
      self.scopes = scopes
    }
  }

  /// Requirements are alternatives; each requires all of its schemes, and one without schemes allows anonymous calls.
  package init(_ requirements: [SecurityRequirement], schemes: [SecurityScheme]) {
    namesScopes = requirements.contains { $0.schemes.contains { !$0.scopes.isEmpty } }
    alternatives = requirements.map { requirement in
      requirement.schemes.map { name, scopes in
        let scheme = schemes.first { $0.name.utf8.elementsEqual(name.utf8) }
        let kind = scheme?.kind ?? .unknown("undefined scheme")
        let mayBeToken =
          switch kind {
          case .http(let scheme): FieldSyntax.equalIgnoringCase(scheme.utf8, "bearer".utf8)
          case .apiKey, .oauth2, .openIdConnect: true
          case .mutualTLS, .unknown: false
          }
        let format = scheme?.node["bearerFormat"]?.string ?? ""
        return Scheme(
          name: name, reader: CredentialReader(kind), mayBeToken: mayBeToken,
          promisesToken: FieldSyntax.equalIgnoringCase(format.utf8, "jwt".utf8), scopes: scopes)
      }
    }
  }

  /// The scopes of a scheme in the first alternative that has it.
  package func scopes(of scheme: String) -> [String] {
    alternatives.joined().first { $0.name.utf8.elementsEqual(scheme.utf8) }?.scopes ?? []
  }

  /// Why a request with all credentials is not validated as a whole: scopes, and credentials outside HTTP.
  package func unvalidated(showsCertificates: Bool = false) -> [String] {
    let scopes = alternatives.joined().map(\.name).unique().compactMap(scopesReason)
    let hidden = alternatives.joined().compactMap { scheme in
      switch scheme.reader.invisible(showsCertificates: showsCertificates) {
      case let sentence?: "`\(scheme.name)` \(sentence)"
      case nil: nil
      }
    }
    return scopes + hidden.unique()
  }

  /// The part of a request with the credential of a scheme: `/header`, `/query`.
  func place(of scheme: String) -> String {
    alternatives.joined().first { $0.name.utf8.elementsEqual(scheme.utf8) }?.reader.place ?? "/header"
  }

  func scopesReason(of scheme: String) -> String? { scopes(of: scheme).isEmpty ? nil : "the scopes of `\(scheme)`" }

  /// The outcome for one request; without `tokens`, the content of tokens is not checked.
  package func check(
    _ fields: HTTPFields, _ input: @autoclosure () -> ParameterInput, tokens: TokenCheck? = nil,
    showsCertificates: Bool = false, collects: Bool = true
  ) -> Outcome {
    if alternatives.isEmpty { return .satisfied([]) }
    var failed: [Alternative] = []
    var unvalidated: String?
    // By index: a loop over the elements holds and releases each.
    for position in alternatives.indices {
      var credentials: [Credential] = []
      var lacks: [Lack] = []
      var reason: String?
      for index in alternatives[position].indices {
        let scheme = alternatives[position][index]
        switch scheme.reader.read(fields, input(), showsCertificates) {
        case .present(let value):
          if let sentence = problem(of: value, scheme, tokens) {
            lacks.append(Lack(of: scheme, isMalformed: true, sentence))
          } else if collects {
            credentials.append(Credential(scheme: scheme.name, value: value))
          }
        case .missing(let sentence): lacks.append(Lack(of: scheme, isMalformed: false, sentence))
        case .malformed(let sentence): lacks.append(Lack(of: scheme, isMalformed: true, sentence))
        case .invisible(let sentence): reason = "`\(scheme.name)` \(sentence)"
        }
      }
      if lacks.isEmpty, reason == nil { return .satisfied(credentials) }
      if lacks.isEmpty { unvalidated = unvalidated ?? reason }
      failed.append(Alternative(schemes: alternatives[position].map(\.name), lacks: lacks))
    }
    if let unvalidated { return .unvalidated(unvalidated) }
    return failed.contains { $0.lacks.contains(where: \.isMalformed) } ? .malformed(failed) : .missing(failed)
  }

  private func problem(of credential: String, _ scheme: Scheme, _ tokens: TokenCheck?) -> String? {
    guard let tokens, scheme.mayBeToken else { return nil }
    switch tokens.check(credential) {
    case .good: return nil
    case .bad(let sentence): return sentence
    case .opaque:
      let isConfigured = tokens.schemes.contains { $0.name.utf8.elementsEqual(scheme.name.utf8) }
      guard scheme.promisesToken || isConfigured else { return nil }
      return "the token is not a JSON Web Token, which \(scheme.promisesToken ? "`bearerFormat`" : "`tokens`") requires"
    }
  }
}

extension SecurityCheck.Outcome {
  /// The part of the request with the first credential that is malformed, else missing; `/header` if one alternative is met.
  var place: String {
    switch self {
    case .satisfied, .unvalidated: "/header"
    case .missing(let alternatives), .malformed(let alternatives):
      (alternatives.lazy.flatMap(\.lacks).first(where: \.isMalformed) ?? alternatives.lazy.flatMap(\.lacks).first)?
        .place
        ?? "/header"
    }
  }

  /// Every alternative with its missing credentials, in one sentence; `nil` if one is met.
  package var sentence: String? {
    switch self {
    case .satisfied, .unvalidated: return nil
    case .missing(let alternatives), .malformed(let alternatives):
      let texts = alternatives.map { alternative in
        let names = alternative.schemes.map { "`\($0)`" }.joined(separator: " and ")
        return "\(names): \(alternative.lacks.map(\.sentence).joined(separator: ", and "))"
      }
      return texts.count == 1 ? texts[0] : "no alternative is met; " + texts.joined(separator: "; or ")
    }
  }
}
