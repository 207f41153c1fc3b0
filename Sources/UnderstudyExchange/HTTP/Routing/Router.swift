package struct RouterEntry: Sendable {
  package var operationIndex: Int
  /// As sent: `GET`.
  package var method: String
  /// As declared: `/chat/{to}`.
  package var template: String
  /// See `BasePaths`; none means the root.
  package var basePaths: [String]
  /// Whether the template may have patterns and a rest, as in a routes file.
  package var isRoute: Bool

  package init(
    operationIndex: Int, method: String, template: String, basePaths: [String] = [], isRoute: Bool = false
  ) {
    self.operationIndex = operationIndex
    self.method = method
    self.template = template
    self.basePaths = basePaths
    self.isRoute = isRoute
  }
}

package enum Routing: Sendable {
  case match(RouteMatch)
  /// A known path without this method, the methods for `Allow`, its first operation, and a template with the method.
  indirect case wrongMethod(allowed: [String], operation: Int, hint: String?)
  indirect case notFound(RouteSuggestion)
}

package struct RouteMatch: Sendable {
  package var operation: Int
  /// The raw text of each expression of the template, in order, as ranges of the request target's UTF-8.
  package var captures: [(name: String, range: Range<Int>)]
  /// A HEAD request to a path without HEAD: respond as to GET, without the body (RFC 9110, section 9.3.2).
  package var isHeadForGet: Bool
}

/// Finds the operation for a request target.
///
/// The longest base path is tried first. Below it segments are compared from the left: literal before mixed before one
/// expression before the rest of a route; mixed ones by their number of literal characters, then by declaration. The path
/// takes precedence over the method. Trailing slashes and case are significant, and an expression never matches an empty
/// segment.
package final class Router: Sendable {
  /// Templates with more segments are left out.
  package static let segmentLimit = 256

  package final class Base: Sendable {
    /// In normal form, without a trailing slash; empty for the root.
    package let path: [UInt8]
    let table: RouteTable
    /// The templates with their base path, in order of declaration, for suggestions.
    let templates: [(text: String, segments: [RouteTemplate.Segment], operation: Int)]

    init(path: [UInt8], _ entries: [RouterEntry]) {
      self.path = path
      table = RouteTable(
        entries.map {
          (method: $0.method, operation: $0.operationIndex, template: $0.template, isRoute: $0.isRoute)
        })
      var seen: Set<[UInt8]> = []
      templates = entries.compactMap { entry in
        guard seen.insert(Array(entry.template.utf8)).inserted else { return nil }
        let text = String(decoding: path, as: UTF8.self) + entry.template
        return (text, RouteTemplate(text, isRoute: entry.isRoute).segments, entry.operationIndex)
      }
    }
  }

  /// Longest first.
  package let bases: [Base]
  private let captureLimit: Int
  private let fallsBackByMethod: Bool

  /// With `fallsBackByMethod`, a template of lower precedence matches when a better one lacks the method.
  package init(_ entries: [RouterEntry], fallsBackByMethod: Bool = false) {
    var groups: [[UInt8]: [RouterEntry]] = [:]
    for entry in entries {
      let paths = entry.basePaths.isEmpty ? [""] : entry.basePaths
      for path in Set(paths.map { BasePaths.normalised($0) }) { groups[path, default: []].append(entry) }
    }
    bases = groups.map { Base(path: $0.key, $0.value) }.sorted {
      $0.path.count == $1.path.count ? $0.path.lexicographicallyPrecedes($1.path) : $0.path.count > $1.path.count
    }
    captureLimit = bases.map(\.table.captureLimit).max() ?? 0
    self.fallsBackByMethod = fallsBackByMethod
  }

  /// Finds the operation for a method and a raw request target: `/v1/chat/7?lastchatDate=`, or an absolute URL.
  package func route(_ method: String, _ target: String) -> Routing {
    var target = target
    return target.withUTF8 { bytes in
      let path = RequestTarget(bytes).path
      return match(method, bytes, path) ?? miss(method, bytes, path)
    }
  }

  private func match(_ method: String, _ bytes: UnsafeBufferPointer<UInt8>, _ path: Range<Int>) -> Routing? {
    find(bytes, path, methods: fallsBackByMethod ? method : nil) { base, leaf, captures in
      let routes = base.table.leaves[leaf]
      var index = routes.firstIndex { $0.method == method }
      let isHeadForGet = index == nil && method == "HEAD"
      if isHeadForGet { index = routes.firstIndex { $0.method == "GET" } }
      guard let index else { return nil }
      var named: [(name: String, range: Range<Int>)] = []
      if captures.count > 0 {
        named.reserveCapacity(captures.count)
        for (position, name) in routes[index].names.enumerated() where position < captures.count {
          let range = captures.storage[position]
          named.append((name, path.lowerBound + range.lowerBound..<path.lowerBound + range.upperBound))
        }
      }
      return .match(RouteMatch(operation: routes[index].operation, captures: named, isHeadForGet: isHeadForGet))
    }
  }

  private func miss(_ method: String, _ bytes: UnsafeBufferPointer<UInt8>, _ path: Range<Int>) -> Routing {
    let known = find(bytes, path) { base, leaf, _ -> (routes: [RouteTable.Route], base: Base)? in
      (base.table.leaves[leaf], base)
    }
    guard let known, let first = known.routes.first else { return .notFound(RouteSuggestion.search(self, bytes, path)) }
    let other: String? = find(bytes, path, methods: method) { base, leaf, _ in
      base.table.leaves[leaf].first { $0.method == method }?.template
    }
    var allowed = known.routes.map(\.method)
    if allowed.contains("GET"), !allowed.contains("HEAD") { allowed.append("HEAD") }
    return .wrongMethod(
      allowed: allowed, operation: first.operation,
      hint: other.map { "`\($0)` has \(method), but `\(first.template)` has precedence for this path" })
  }

  /// The first leaf for a path, by precedence, for which `body` gives a value, with one of `methods` (or GET for HEAD).
  func find<R>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ path: Range<Int>, methods method: String? = nil, allowingEmpty: Bool = false,
    _ body: (Base, Int, RouteTable.Search) -> R?
  ) -> R? {
    let whole = UnsafeBufferPointer(rebasing: bytes[path])
    return withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: captureLimit) { storage in
      for base in bases {
        guard let start = BasePaths.end(of: base.path, in: whole) else { continue }
        var search = RouteTable.Search(method: method, allowsEmpty: allowingEmpty, storage: storage)
        if let leaf = base.table.leaf(under: 0, at: start, of: whole, &search), let result = body(base, leaf, search) {
          return result
        }
      }
      return nil
    }
  }
}
