package import UnderstudyMock

/// The address of a store of lanes: `lanes.db`, `sqlite:lanes.db`.
package struct StoreAddress: Sendable, Equatable {
  /// The path of an SQLite file.
  package let path: String

  /// Reads an address.
  ///
  /// - Throws: The reason that it names no store of this version.
  package init(_ text: String) throws(LaneProblem) {
    let scheme = text.prefix { $0 != ":" && $0 != "/" }.lowercased()
    let hasScheme = text.utf8.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":")
    if hasScheme, ["postgresql", "postgres"].contains(scheme) {
      throw LaneProblem(
        .store, "PostgreSQL is not a store of this version: expected the path of a file, found a `\(scheme)` address",
        help: "name a file, as in `--store lanes.db`: one process keeps its lanes there")
    }
    let path = hasScheme && scheme == "sqlite" ? String(text.dropFirst("sqlite:".count)) : text
    guard !path.isEmpty, !path.hasSuffix("/"), !(hasScheme && text.contains("://")) else {
      throw LaneProblem(
        .store, "`\(text)` is not a store: expected the path of a file", help: "name one: `--store lanes.db`")
    }
    self.path = path
  }

  /// Opens the store.
  ///
  /// - Throws: The reason that it cannot be used.
  package func open() throws(LaneProblem) -> any LaneDatabase { try SQLiteLanes(path) }
}
