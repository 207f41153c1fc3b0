/// Where a value of an item comes from: `path.uid`, `body.chat`, `user`, `now`.
package enum ResourceSource: Sendable, Equatable {
  case part(RequestPart, String)
  /// The user of the request, as `user:` of the description says.
  case user
  /// The time of the request (RFC 3339, in milliseconds).
  case now

  init?(_ text: String) {
    switch text {
    case "user": self = .user
    case "now": self = .now
    default:
      let parts = text.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let part = RequestPart(rawValue: String(parts[0])) else { return nil }
      self = .part(part, String(parts[1]))
    }
  }

  /// The value in a request; a token with claims stands for its user, and `now` is in microseconds since 1970.
  package func text(in request: RequestView, user: ResourceSource?, now: Int) -> String? {
    switch self {
    case .part(let part, let name): request.values(part, name).first
    case .user: user?.text(in: request, user: nil, now: now).map(Self.user(of:))
    case .now: Timestamp.text(microseconds: now)
    }
  }

  /// The user that a JSON Web Token names; any other text is the user itself.
  private static func user(of token: String) -> String {
    let token = token.hasPrefix("Bearer ") ? String(token.dropFirst(7)) : token
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(url: parts[1].utf8),
      let claims = try? JSONParser.parse(bytes).root
    else { return token }
    return ["user_id", "uid", "sub"].lazy.compactMap { claims[$0]?.string }.first ?? token
  }
}
