package struct LaneProblem: Error, Sendable, Equatable {
  package enum Kind: String, Sendable {
    case invalidName = "invalid-lane"
    case unknown = "not-found"
    case taken = "lane-taken"
    case closed = "lane-closed"
    case tooMany = "too-many-lanes"
    case tooManyFollowers = "too-many-followers"
    case invalid = "invalid-request"
    case forbidden = "forbidden"
    case method = "unknown-method"
    /// The request is valid, and this mock has no such operation, answer or scenario.
    case conflict = "conflict"
    /// The lane has as many replies as a lane can have.
    case full = "lane-full"
    case unauthorized = "unauthorized"
    case tooLarge = "too-large"
    /// The store of the lanes cannot be read or written.
    case store = "lane-store"
    /// A change may be stored or not: its acknowledgement was lost.
    case outcome = "outcome-unknown"
  }

  package let kind: Kind
  package let message: String
  package let help: String
  /// The methods that a 405 lists.
  package let allowed: String?

  package init(_ kind: Kind, _ message: String, help: String, allowed: String? = nil) {
    (self.kind, self.allowed, self.message, self.help) = (kind, allowed, message, help)
  }

  /// - Parameter help: An example of the body.
  package static func json(_ body: [UInt8], help: String) throws(LaneProblem) -> JSON {
    do throws(TextProblem) {
      return try JSONParser.parse(SourceFile(path: "body", bytes: body)).root
    } catch {
      throw LaneProblem(.invalid, "the body is not JSON: \(error.message)", help: help)
    }
  }

  package var status: Int {
    switch kind {
    case .invalidName, .invalid: 400
    case .unauthorized: 401
    case .forbidden: 403
    case .unknown: 404
    case .method: 405
    case .taken, .conflict, .full: 409
    case .closed: 410
    case .tooLarge: 413
    case .tooMany, .tooManyFollowers, .store, .outcome: 503
    }
  }

  private var title: String {
    switch kind {
    case .invalidName: "Invalid name of a lane"
    case .unknown: "Not found"
    case .taken: "Lane is open"
    case .closed: "Lane is closed"
    case .tooMany: "Too many lanes"
    case .tooManyFollowers: "Too many followers"
    case .invalid: "Invalid request"
    case .forbidden: "Forbidden"
    case .method: "Method not allowed"
    case .conflict: "Conflict with the mock"
    case .full: "Lane is full"
    case .unauthorized: "Unauthorized"
    case .tooLarge: "Body too large"
    case .store: "Lane not stored"
    case .outcome: "Outcome unknown"
    }
  }

  /// A problem document (RFC 9457).
  package var reply: Reply {
    var reply = Problem.reply(
      status: status, title: title, code: kind.rawValue, detail: "\(message) (\(help))", diagnostics: [],
      headers: headers)
    reply.source.content = .problem(status: status, title: kind.rawValue, detail: message)
    reply.isAboutMock = true
    return reply
  }

  private var headers: [(HTTPField.Name, String)] {
    switch kind {
    case .unauthorized: [(.wwwAuthenticate, "Bearer")]
    case .store, .outcome: [(.retryAfter, "1")]
    default: allowed.map { [(.allow, $0)] } ?? []
    }
  }
}
