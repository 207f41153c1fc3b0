package import HTTPTypes

/// Whether a request carries the credentials that an operation asks for (OAS 3.1, 4.8.30): presence and shape only, since
/// nobody here can tell whether a token is genuine.
package struct SecurityCheck: Sendable {
  package enum Outcome: Sendable {
    /// One alternative is met: by these credentials, by none where anonymous calls are allowed.
    case satisfied([Credential])
    /// The nearest alternative needs something that cannot be seen in a request, such as a client certificate.
    case unjudged(String)
    /// No alternative is met, and no credential was given wrongly: each with what it lacks.
    case missing([Alternative])
    /// No alternative is met, and something was given in the wrong form.
    case malformed([Alternative])
  }

  /// What proves who is calling.
  package struct Credential: Sendable, Equatable {
    package var scheme: String
    /// The secret itself, without `Bearer `: for scenarios, never for messages.
    package var value: String
  }

  /// One alternative that was not met.
  package struct Alternative: Sendable, Equatable {
    /// The names of its schemes.
    package var schemes: [String]
    package var lacks: [Lack]
  }

  package struct Lack: Sendable, Equatable {
    package var scheme: String
    package var isMalformed: Bool
    /// `header `idtoken` is missing`
    package var sentence: String
  }

  private let alternatives: [[(name: String, reader: CredentialReader)]]

  /// Requirements are alternatives; each needs all of its schemes, and one without schemes allows anyone.
  package init(_ requirements: [SecurityRequirement], schemes: [SecurityScheme]) {
    alternatives = requirements.map { requirement in
      requirement.schemes.map { name, _ in
        let scheme = schemes.first { $0.name.utf8.elementsEqual(name.utf8) }
        return (name, CredentialReader(scheme?.kind ?? .unknown("undefined scheme")))
      }
    }
  }

  package func check(_ fields: HTTPFields, _ input: ParameterInput) -> Outcome {
    if alternatives.isEmpty { return .satisfied([]) }
    var failed: [Alternative] = []
    var unjudged: String?
    for alternative in alternatives {
      var credentials: [Credential] = []
      var lacks: [Lack] = []
      var reason: String?
      for (name, reader) in alternative {
        switch reader.read(fields, input) {
        case .present(let value): credentials.append(Credential(scheme: name, value: value))
        case .missing(let sentence): lacks.append(Lack(scheme: name, isMalformed: false, sentence: sentence))
        case .malformed(let sentence): lacks.append(Lack(scheme: name, isMalformed: true, sentence: sentence))
        case .invisible(let sentence): reason = "`\(name)` \(sentence)"
        }
      }
      if lacks.isEmpty, reason == nil { return .satisfied(credentials) }
      if lacks.isEmpty { unjudged = unjudged ?? reason }
      failed.append(Alternative(schemes: alternative.map(\.name), lacks: lacks))
    }
    if let unjudged { return .unjudged(unjudged) }
    return failed.contains { $0.lacks.contains(where: \.isMalformed) } ? .malformed(failed) : .missing(failed)
  }
}

extension SecurityCheck.Outcome {
  /// Every alternative with what it lacks, in one sentence; `nil` when nothing is wrong.
  package var sentence: String? {
    switch self {
    case .satisfied, .unjudged: return nil
    case .missing(let alternatives), .malformed(let alternatives):
      let texts = alternatives.map { alternative in
        let names = alternative.schemes.map { "`\($0)`" }.joined(separator: " and ")
        return "\(names): \(alternative.lacks.map(\.sentence).joined(separator: ", and "))"
      }
      return texts.count == 1 ? texts[0] : "no alternative is met; " + texts.joined(separator: "; or ")
    }
  }
}
