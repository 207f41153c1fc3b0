import CUnderstudyPostgreSQL
import UnderstudyMock
import UnderstudySystem

/// The parameters of connections to a database.
struct PostgreSQLSettings: Sendable {
  /// The parameters of libpq, without `options`.
  private let parameters: [(keyword: String, value: String)]
  /// The user's command-line options for the server.
  private let options: String?
  /// Passwords, which no message contains.
  private let secrets: [String]
  /// The host, the port and the name of the database, for messages: `PostgreSQL db.example/lanes`.
  let summary: String

  /// The reason that libpq cannot be loaded; `nil` once it is.
  private static let loadProblem: String? = pq_load().map { String(cString: $0) }

  /// - Throws: libpq is missing, or rejects the address.
  init(_ address: PostgreSQLAddress) throws(LaneProblem) {
    if let problem = Self.loadProblem {
      throw LaneProblem(
        .store, "a PostgreSQL store needs libpq, which cannot be loaded: \(problem)",
        help: "install it, on Debian and Ubuntu with `apt install libpq5`, on macOS with `brew install libpq`")
    }
    guard let written = Self.parse(address.uri) else { throw PostgreSQLAddress.invalid }
    func value(_ keyword: String, _ variable: String) -> String? {
      written.last { $0.keyword == keyword }?.value ?? getenv(variable).map { String(cString: $0) }
    }
    // A port that is not a number may be a password without a host.
    guard value("port", "PGPORT")?.utf8.allSatisfy({ $0 == UInt8(ascii: ",") || (48...57).contains($0) }) != false
    else {
      throw PostgreSQLAddress.invalid
    }
    let hosts = value("host", "PGHOST") ?? ""
    var defaults = [
      ("application_name", "understudy", ""), ("connect_timeout", "5", "PGCONNECT_TIMEOUT"),
      ("keepalives_idle", "10", ""),
      ("keepalives_interval", "5", ""), ("keepalives_count", "3", ""), ("tcp_user_timeout", "15000", ""),
    ]
    if hosts.contains(",") { defaults.append(("target_session_attrs", "read-write", "PGTARGETSESSIONATTRS")) }
    let added = defaults.filter { value($0.0, $0.2) == nil }.map { (keyword: $0.0, value: $0.1) }
    parameters = written.filter { $0.keyword != "options" } + added + [("client_encoding", "UTF8")]
    options = value("options", "PGOPTIONS")
    secrets = [value("password", "PGPASSWORD"), value("sslpassword", "")].compactMap { $0 }.filter { !$0.isEmpty }
    let port = value("port", "PGPORT").map { $0 == "5432" ? "" : ":\($0)" } ?? ""
    let database = value("dbname", "PGDATABASE") ?? value("user", "PGUSER") ?? ""
    let schema = address.schema.map { ", schema \($0)" } ?? ""
    let place = (hosts.isEmpty ? "" : "\(hosts)\(port)/") + database
    summary = VisibleText.line("PostgreSQL \(place.isEmpty ? "on this machine" : place)\(schema)")
  }

  private static func parse(_ uri: String) -> [(keyword: String, value: String)]? {
    guard let list = pq_parse(uri) else { return nil }
    defer { pq_free_options(list) }
    var result: [(String, String)] = []
    var option = list
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.value { result.append((String(cString: keyword), String(cString: value))) }
      option += 1
    }
    return result
  }

  /// The parameters of a connection.
  ///
  /// - Parameter limit: The time limit of a statement in milliseconds; `nil` for a pooler that accepts no options.
  func parameters(statementLimit limit: Int?) -> [(keyword: String, value: String)] {
    let limit = limit.map { "-c statement_timeout=\($0)" }
    // The last option of a name applies.
    let options = [limit, options].compactMap { $0 }.joined(separator: " ")
    return parameters + (options.isEmpty ? [] : [("options", options)])
  }

  /// Makes a line of a message of libpq, without passwords.
  ///
  /// - Parameter password: The password of the connection, from the address or from a passfile.
  func shown(_ message: String, password: String? = nil) -> String {
    var line = message.split(separator: "\n").map { $0.trimming { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
    for secret in secrets + [password].compactMap({ $0 }) where !secret.isEmpty {
      line = line.replacing(secret, with: "[redacted]")
    }
    return VisibleText.line(line)
  }
}

extension Substring {
  fileprivate func trimming(_ isOuter: (Character) -> Bool) -> Substring {
    var result = drop(while: isOuter)
    while let last = result.last, isOuter(last) { result.removeLast() }
    return result
  }
}
