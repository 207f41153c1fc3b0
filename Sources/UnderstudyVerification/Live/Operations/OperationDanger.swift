/// What an operation may do to the rest of a run, by its name.
enum OperationDanger: Sendable {
  case none
  /// It may change what the run's own account is allowed to do.
  case ofAccess
  /// It may replace or take away the credentials of the run.
  case ofCredentials
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
    let changes = ["PUT", "PATCH", "DELETE"].contains(operation.method)
    return !last.isDisjoint(with: ["password", "passwd", "logout", "signout", "revoke"])
      || ((changes || hasParameters) && !words.isDisjoint(with: Self.ofAccessWords.union(Self.ofAccountWords)))
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
