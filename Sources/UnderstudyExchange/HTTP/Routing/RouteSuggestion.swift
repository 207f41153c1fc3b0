/// The likely reason why no template matched, with the path that was probably meant.
package struct RouteSuggestion: Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    case unknown
    /// A question mark is encoded as `%3F`, so the query is part of the path.
    case encodedQuery
    /// The segment of an expression is empty.
    case emptyValue
    case doubleSlash
    case trailingSlash
    case missingTrailingSlash
    case missingBasePath
    /// The path matches behind another base path.
    case wrongBasePath
    case wrongCase
    /// A template differs in a few letters or segments.
    case misspelt
  }

  package var reason: Reason
  package var operation: Int?
  package var suggestion: String?
  /// The message: `did you mean `/v1/user`? there is a double slash after `/v1``.
  package var sentence: String

  /// Tries common mistakes on an unmatched path, at the cost of a bounded number of walks.
  static func search(_ router: Router, _ target: UnsafeBufferPointer<UInt8>, _ path: Range<Int>) -> RouteSuggestion {
    // A longer path is not a typing mistake.
    guard path.count <= 2048 else { return unknown }
    let path = Array(target[path])
    return encodedQuery(router, path) ?? emptyValue(router, path) ?? doubleSlash(router, path)
      ?? trailingSlash(router, path) ?? basePath(router, path) ?? NearestTemplate.suggestion(router, path) ?? unknown
  }

  private static let unknown = RouteSuggestion(
    reason: .unknown, sentence: "no path of the contract is similar; `understudy routes` lists them")

  private static func encodedQuery(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    let mark = path.indices.first { path[$0...].starts(with: "%3F".utf8) || path[$0...].starts(with: "%3f".utf8) }
    guard let mark, let operation = router.route(Array(path[..<mark]))?.operation else { return nil }
    let suggestion = text(path[..<mark]) + "?" + text(path[(mark + 3)...])
    return RouteSuggestion(
      reason: .encodedQuery, operation: operation, suggestion: suggestion,
      sentence: "did you mean `\(suggestion)`? the question mark is encoded as %3F, so the query is part of the path")
  }

  private static func emptyValue(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    guard let found = router.emptyValue(path) else { return nil }
    let shorter = path.last == UInt8(ascii: "/") ? router.route(path.dropLast())?.template : nil
    return RouteSuggestion(
      reason: .emptyValue, operation: found.route.operation,
      sentence: "`\(found.route.template)` needs a value for `\(found.name)`, and its segment is empty"
        + (shorter.map { "; without one the path is `\($0)`, with no slash at its end" } ?? ""))
  }

  private static func doubleSlash(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    let slash = UInt8(ascii: "/")
    guard let mark = path.indices.dropLast().first(where: { path[$0] == slash && path[$0 + 1] == slash }) else {
      return nil
    }
    var single: [UInt8] = []
    for byte in path where byte != slash || single.last != slash { single.append(byte) }
    guard let operation = router.route(single)?.operation else { return nil }
    let place = mark == 0 ? "at the start" : "after `\(text(path[..<mark]))`"
    return RouteSuggestion(
      reason: .doubleSlash, operation: operation, suggestion: text(single),
      sentence: "did you mean `\(text(single))`? there is a double slash \(place)")
  }

  private static func trailingSlash(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    let hasSlash = path.last == UInt8(ascii: "/")
    let other = hasSlash ? path.dropLast() : path + [UInt8(ascii: "/")]
    guard let operation = router.route(Array(other))?.operation else { return nil }
    return RouteSuggestion(
      reason: hasSlash ? .trailingSlash : .missingTrailingSlash, operation: operation, suggestion: text(other),
      sentence: "did you mean `\(text(other))`? the contract's path \(hasSlash ? "has no" : "has a") slash at its end")
  }

  private static func basePath(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    for base in router.bases where !base.path.isEmpty {
      guard let operation = router.route(base.path + path)?.operation else { continue }
      return RouteSuggestion(
        reason: .missingBasePath, operation: operation, suggestion: text(base.path + path),
        sentence: "did you mean `\(text(base.path + path))`? the base path `\(text(base.path))` is missing")
    }
    var rest = path[...]
    for _ in 0..<4 {
      guard let slash = rest.dropFirst().firstIndex(of: UInt8(ascii: "/")) else { return nil }
      rest = path[slash...]
      for base in router.bases {
        guard let operation = router.route(base.path + rest)?.operation else { continue }
        let (expected, actual) = (text(base.path), text(path[..<slash]))
        return RouteSuggestion(
          reason: .wrongBasePath, operation: operation, suggestion: text(base.path + rest),
          sentence: "did you mean `\(text(base.path + rest))`? the contract's base path is "
            + "`\(expected.isEmpty ? "/" : expected)`, not `\(actual)`")
      }
    }
    return nil
  }

  static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Router {
  /// The first route that a path matches with any method.
  fileprivate func route(_ path: some Sequence<UInt8>) -> RouteTable.Route? {
    Array(path).withUnsafeBufferPointer { bytes in
      find(bytes, 0..<bytes.count) { base, leaf, _ in base.table.leaves[leaf].first }
    }
  }

  /// The first route that a path matches with empty values, and the name of the first empty value.
  fileprivate func emptyValue(_ path: [UInt8]) -> (route: RouteTable.Route, name: String)? {
    path.withUnsafeBufferPointer { bytes in
      find(bytes, 0..<bytes.count, allowingEmpty: true) { base, leaf, captures in
        guard let route = base.table.leaves[leaf].first,
          let empty = captures.storage.prefix(captures.count).firstIndex(where: \.isEmpty), empty < route.names.count
        else { return nil }
        return (route, route.names[empty])
      }
    }
  }
}
