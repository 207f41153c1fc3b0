/// What an operation may do to the rest of a run, by its name.
enum OperationDanger: Sendable {
  case none
  /// It may change what the run's own account is allowed to do.
  case ofAccess
  /// It may replace or take away the credentials of the run.
  case ofCredentials
  /// It may switch authentication on or off, or change how it works, for all requests.
  case ofAuthentication
  /// It ends, restarts or resets the server.
  case ofServer

  private static let ofServerWords: Set<String> = [
    "shutdown", "restart", "reboot", "poweroff", "halt", "quit", "exit", "reset", "reload", "wipe", "kill",
  ]
  private static let ofAccessWords: Set<String> = [
    "role", "roles", "permission", "permissions", "privilege", "privileges", "password", "passwd", "token", "tokens",
    "apikey", "acl", "acls", "rbac", "iam", "security", "access", "group", "groups", "member", "members", "logout",
    "signout", "revoke", "session", "sessions", "credential", "credentials",
  ]
  private static let ofCredentialsWords: Set<String> = [
    "password", "passwd", "token", "tokens", "apikey", "logout", "signout", "revoke", "credential", "credentials",
  ]
  private static let ofAuthenticationWords: Set<String> = [
    "auth", "authentication", "authenticate", "authorization", "jwt", "oauth", "oauth2", "oidc", "saml", "sso", "ldap",
    "mfa", "totp", "otp", "2fa", "login", "rbac", "acl", "acls", "token", "tokens", "credential", "credentials",
    "security", "password", "passwords", "permission", "permissions", "apikey", "license", "licence",
  ]
  /// Words of a summary, which is prose: it may mention a token that a request needs.
  private static let ofAuthenticationProse: Set<String> = [
    "auth", "authentication", "authorization", "jwt", "oauth", "oidc", "saml", "sso", "ldap", "mfa", "rbac", "license",
    "licence",
  ]
  private static let switchingWords: Set<String> = [
    "enable", "enabled", "disable", "disabled", "activate", "deactivate", "setting", "settings", "mode", "modes",
    "config", "configuration", "toggle", "enforce", "enforcement",
  ]
  private static let switchingVerbs: Set<String> = [
    "enable", "enables", "disable", "disables", "activate", "activates", "deactivate", "deactivates",
  ]
  private static let changingWords: Set<String> = [
    "delete", "remove", "revoke", "grant", "change", "set", "update", "changepw", "reset",
  ]
  private static let ofAccountWords: Set<String> = [
    "user", "users", "account", "accounts", "me", "self", "profile", "admin", "auth",
  ]

  init(_ operation: Operation, _ schemas: SchemaLibrary) {
    let segments = operation.template.segments
    let hasParameters = !operation.template.names.isEmpty
    let literals = segments.compactMap { segment -> String? in
      guard segment.count == 1, case .literal(let text) = segment[0] else { return nil }
      return String(decoding: text, as: UTF8.self)
    }
    let last = Set(SecretNames.words(of: literals.last ?? ""))
    let id = operation.operationId.map { Set(SecretNames.words(of: $0)) } ?? []
    // What belongs to one thing ends or resets that thing.
    if !hasParameters, !Self.ofServerWords.isDisjoint(with: last.union(id).union(Self.listed(operation, schemas))) {
      self = .ofServer
      return
    }
    guard !SafeMethods.contains(operation.method) else {
      self = last.contains("logout") ? .ofCredentials : .none
      return
    }
    if Self.switchesAuthentication(operation, Set(literals.flatMap { SecretNames.words(of: $0) }).union(id), schemas) {
      // What belongs to one thing concerns the run only if that is its own account.
      self = hasParameters ? .ofCredentials : .ofAuthentication
      return
    }
    self =
      Self.isOfAccess(operation) ? last.isDisjoint(with: Self.ofCredentialsWords) ? .ofAccess : .ofCredentials : .none
  }

  /// Whether an operation changes what accounts are allowed to do, by its name.
  static func isOfAccess(_ operation: Operation) -> Bool {
    let literals = operation.template.segments.compactMap { segment -> String? in
      guard segment.count == 1, case .literal(let text) = segment[0] else { return nil }
      return String(decoding: text, as: UTF8.self)
    }
    let hasParameters = !operation.template.names.isEmpty
    let last = Set(SecretNames.words(of: literals.last ?? ""))
    let id = operation.operationId.map { Set(SecretNames.words(of: $0)) } ?? []
    let words = Set(literals.flatMap { SecretNames.words(of: $0) }).union(id)
    let changes =
      ["PUT", "PATCH", "DELETE"].contains(operation.method) || !last.union(id).isDisjoint(with: Self.changingWords)
    return !last.isDisjoint(with: ["password", "passwd", "logout", "signout", "revoke"])
      || ((changes || hasParameters) && !words.isDisjoint(with: Self.ofAccessWords.union(Self.ofAccountWords)))
  }

  /// Whether an operation is about settings of authentication, by its name, its summary or a member of its body:
  /// `POST /auth/disable`, `{"api_tokens_enabled": false}`.
  private static func switchesAuthentication(
    _ operation: Operation, _ names: Set<String>, _ schemas: SchemaLibrary
  ) -> Bool {
    let summary = Set(SecretNames.words(of: operation.summary ?? ""))
    let isOfAuthentication =
      !names.isDisjoint(with: ofAuthenticationWords) || !summary.isDisjoint(with: ofAuthenticationProse)
    if isOfAuthentication, !names.isDisjoint(with: switchingWords) { return true }
    if !summary.isDisjoint(with: ofAuthenticationProse), !summary.isDisjoint(with: switchingVerbs) { return true }
    return (operation.requestBody?.content ?? []).compactMap(\.schema).contains { schema in
      schemas.resolved(schema).properties.contains { property in
        let words = Set(SecretNames.words(of: property.name))
        return !words.isDisjoint(with: ofAuthenticationWords) && !words.isDisjoint(with: switchingWords)
      }
    }
  }

  /// The words of the values that the members of a body list: `{"operation": "shutdown"}`.
  private static func listed(_ operation: Operation, _ schemas: SchemaLibrary) -> Set<String> {
    var words: Set<String> = []
    for media in operation.requestBody?.content ?? [] {
      guard let schema = media.schema else { continue }
      let resolved = schemas.resolved(schema)
      for property in resolved.properties {
        for value in resolved.schema(of: property).enumeration ?? [] where value.isString {
          words.formUnion(SecretNames.words(of: value.text))
        }
      }
    }
    return words
  }
}
