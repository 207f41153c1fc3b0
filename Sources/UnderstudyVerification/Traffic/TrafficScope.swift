/// Selects the exchanges of a recording that belong to the contracts, by host and base path: a browser also records
/// pages, pictures and counters, which are no unknown paths.
package struct TrafficScope: Sendable {
  /// The base URLs that are the whole scope, if there are any.
  private let bases: [Upstream]
  /// `host` or `host:port` of the contracts' servers, in lower case; a variable is written as `{`...`}`.
  private let hosts: [String]
  /// Whether only a base URL, or a server of a contract, is in scope.
  private let isStrict: Bool
  /// The base paths of the contracts that are not the root.
  private let paths: [[UInt8]]
  private let hasRootPath: Bool
  private let mapped: String

  package init(_ apis: [API], bases: [Upstream] = [], isStrict: Bool = false) {
    self.bases = bases
    self.isStrict = isStrict || !bases.isEmpty
    let servers = apis.flatMap(\.operations).flatMap(\.servers)
    var hosts: [String] = []
    var paths: [String] = []
    for server in servers {
      if let host = URIReference(server.url).authority.map(Self.host), !hosts.contains(host) { hosts.append(host) }
      for path in BasePaths.from(server) where !paths.contains(path) { paths.append(path) }
    }
    self.hosts = hosts
    self.paths = paths.filter { !$0.isEmpty }.map { BasePaths.normalised($0) }
    hasRootPath = paths.contains("") || paths.isEmpty
    mapped = paths.first ?? ""
  }

  package var isEmpty: Bool { isStrict && bases.isEmpty && hosts.isEmpty }

  package enum Membership: Sendable, Equatable {
    /// The request target to route by.
    case inside(target: String)
    /// In scope only when a path of a contract matches it; on a host of a contract, also with the base path in front.
    case perhaps(target: String, withBase: String?)
    case outside(reason: String)
  }

  /// - Parameter isOwn: the recording was made by a mock of the contracts.
  package func membership(of url: String, isOwn: Bool = false) -> Membership {
    let reference = URIReference(url)
    guard reference.scheme == "http" || reference.scheme == "https", let authority = reference.authority else {
      return .outside(reason: reference.scheme == nil ? "no absolute URL" : "not http")
    }
    let path = reference.path.isEmpty ? "/" : reference.path
    let query = reference.query.map { "?" + $0 } ?? ""
    if !bases.isEmpty {
      guard let base = bases.first(where: { $0.isOrigin(of: reference) && Self.stands(path, below: $0.path) }) else {
        return .outside(reason: "not below --base")
      }
      // A base path of `--base` replaces the contract's own.
      let rest = String(path.dropFirst(base.path.count))
      return .inside(target: (base.path.isEmpty ? path : mapped + (rest.isEmpty ? "/" : rest)) + query)
    }
    let target = path + query
    if isOwn { return .inside(target: target) }
    let host = Self.host(of: authority)
    let isNamed = hosts.contains { Self.matches($0, host) }
    if isStrict, !isNamed { return .outside(reason: "a host that no server of the contract names") }
    let isBelow = paths.contains { base in
      var path = path
      return path.withUTF8 { BasePaths.end(of: base, in: $0) != nil }
    }
    // A base path other than the root identifies the contract's requests on any host.
    return isBelow || isNamed && hasRootPath
      ? .inside(target: target)
      : .perhaps(target: target, withBase: isNamed ? mapped + target : nil)
  }

  private static func stands(_ path: String, below base: String) -> Bool {
    base.isEmpty
      || path.utf8.starts(with: base.utf8)
        && (path.utf8.count == base.utf8.count || Array(path.utf8)[base.utf8.count] == UInt8(ascii: "/"))
  }

  /// Host and port without user and default port, in lower case.
  private static func host(of authority: String) -> String {
    let start = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
    var host = FieldSyntax.lowercased(authority[(start ?? authority.startIndex)...].utf8)
    for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
    return host
  }

  /// Whether a host matches that of a server, whose variables match any text.
  private static func matches(_ pattern: String, _ host: String) -> Bool {
    guard pattern.utf8.contains(UInt8(ascii: "{")) else { return pattern.utf8.elementsEqual(host.utf8) }
    var rest = host.utf8[...]
    // The texts between the variables.
    let parts = pattern.utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false)
    let pieces = [parts[0]] + parts.dropFirst().map { $0.drop { $0 != UInt8(ascii: "}") }.dropFirst() }
    for (index, piece) in pieces.enumerated() {
      if index == 0 {
        guard rest.starts(with: piece) else { return false }
        rest = rest.dropFirst(piece.count)
      } else if index == pieces.count - 1 {
        return rest.count > piece.count && rest.suffix(piece.count).elementsEqual(piece)
      } else {
        guard let found = rest.dropFirst().firstRange(of: piece) else { return false }
        rest = rest[found.upperBound...]
      }
    }
    return rest.isEmpty
  }
}
