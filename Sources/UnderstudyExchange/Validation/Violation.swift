/// The class of findings that decides the response, in order of precedence: no token precedes a broken body.
package enum Violation: String, CaseIterable, Sendable, Comparable {
  case unknownPath = "unknown-path"
  case unknownMethod = "unknown-method"
  case unauthorized
  /// Never found by validating, since a mock knows no users; it gives the status a name to force.
  case unknownUser = "unknown-user"
  case unsupportedMediaType = "unsupported-media-type"
  case invalidRequest = "invalid-request"
  case notAcceptable = "not-acceptable"

  /// The statuses of HTTP, the usual one first, and the title of a problem.
  private var answer: (statuses: [Int], title: String) {
    switch self {
    case .unknownPath: ([404], "No such path")
    case .unknownMethod: ([405], "Method not allowed")
    case .unauthorized: ([401], "Unauthorized")
    case .unknownUser: ([403, 401], "Unknown user")
    case .unsupportedMediaType: ([415], "Unsupported media type")
    case .invalidRequest: ([422, 400], "Invalid request")
    case .notAcceptable: ([406], "Not acceptable")
    }
  }

  package var statuses: [Int] { answer.statuses }
  package var title: String { answer.title }

  package static func < (a: Violation, b: Violation) -> Bool { a.precedence < b.precedence }

  private var precedence: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Diagnostic {
  /// The class of the finding; `nil` unless it is an error of the client, since only those refuse a request.
  package var violation: Violation? {
    guard owner == .client, severity == .error else { return nil }
    return switch rule {
    case .requestPathUnknown: .unknownPath
    case .requestMethodUnknown: .unknownMethod
    case .requestSecurityMissing, .requestSecurityMalformed: .unauthorized
    case .requestContentType: .unsupportedMediaType
    case .requestNotAcceptable: .notAcceptable
    default: .invalidRequest
    }
  }
}
