import UnderstudyMock

/// The address of a PostgreSQL database: `postgresql://user@host/database?schema=team`.
package struct PostgreSQLAddress: Sendable, Equatable {
  /// The address as libpq reads it, which may contain a password.
  let uri: String
  /// The schema of the tables; `nil` for the first schema of the search path.
  let schema: String?

  /// Splits the schema off; libpq would reject it.
  ///
  /// - Parameter text: An address that begins with `postgresql:` or `postgres:`.
  init(_ text: String) throws(LaneProblem) {
    guard let scheme = text.firstRange(of: "://"), !text.utf8.contains(0) else { throw Self.invalid }
    let rest = text[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    let login = authority.firstIndex(of: "@").map { rest[...$0] } ?? rest.prefix(0)
    // A password may contain a question mark.
    let path = rest[login.endIndex...]
    // The rest of a password that is not encoded would be a host or a database, which messages name.
    guard !path.prefix(while: { $0 != "?" }).contains("@") else { throw Self.invalid }
    guard let mark = path.firstIndex(of: "?") else {
      (uri, schema) = (text, nil)
      return
    }
    var others: [Substring] = []
    var schema: String?
    for pair in text[text.index(after: mark)...].split(separator: "&") {
      guard pair.hasPrefix("schema=") else {
        others.append(pair)
        continue
      }
      guard let name = PercentEncoding.decode(pair.dropFirst("schema=".count)), !name.isEmpty, name.utf8.count <= 63,
        !name.utf8.contains(0)
      else {
        throw LaneProblem(
          .store, "the schema of the PostgreSQL address is not valid: expected a name of 1 to 63 bytes",
          help: "name one, as in `?schema=team`, or leave it out")
      }
      schema = name
    }
    self.schema = schema
    uri = text[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
  }

  /// Names no part of the address, since any of them may belong to a password that is not encoded.
  static let invalid = LaneProblem(
    .store, "the PostgreSQL address is not valid: expected `postgresql://HOST:PORT/DATABASE`",
    help: "write special characters of a password as %XX, or leave the password to `PGPASSWORD` or ~/.pgpass")
}
