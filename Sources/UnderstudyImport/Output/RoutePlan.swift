/// The routes of stubs, each with its replies in the order in which they are tried.
struct RoutePlan {
  struct Route {
    var method: String
    var path: PathPattern
    var entries: [Entry] = []
  }

  struct Entry {
    var stub: Stub
    var when: JSON?
    /// The name of the reply, where another file or a request names it.
    var name: String?
    /// Whether the reply is only sent on request.
    var isVariant = false
  }

  private(set) var routes: [Route] = []
  private(set) var remarks: [Remark] = []

  private static let anyMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
  private static let methods = anyMethods + ["HEAD", "OPTIONS", "TRACE", "QUERY"]
  /// The maximum number of comparisons of patterns with routes.
  private static let comparisonLimit = 4_000_000

  /// - Parameter stubs: The stubs by precedence: the first matching stub responds.
  init(_ stubs: [Stub]) {
    let stubs = stubs.filter { isWritable($0) }
    var groups: [String: [Int]] = [:]
    for (index, stub) in stubs.enumerated() { groups[stub.path.shape, default: []].append(index) }
    let paths = paths(of: stubs)
    var patterns = stubs.indices.filter { !stubs[$0].path.isLiteral }
    if patterns.count * paths.count > Self.comparisonLimit, let first = patterns.first {
      remarks.append(
        Remark(
          .differs, "overlapping URL patterns", "too many patterns to compare: each responds on its own route alone",
          at: stubs[first].node))
      patterns = []
    }
    for path in paths { add(path, stubs, groups[path.shape] ?? [], patterns) }
  }

  private mutating func isWritable(_ stub: Stub) -> Bool {
    if let method = stub.method, !Self.methods.contains(method) {
      remarks.append(
        Remark(
          .lost, "method", "a route has no method `\(VisibleText.shortened(method, to: 20))`", at: stub.node))
      return false
    }
    if let problem = RouteKeyCheck.problem(stub.path.route) {
      remarks.append(Remark(.lost, "path", problem, at: stub.node))
      return false
    }
    var problem: String?
    if let when = stub.predicate.when {
      var reader = RequestMatcherReader()
      // Positions are in no file, and messages need none.
      if reader.read(when) == nil || !reader.diagnostics.isEmpty { problem = reader.diagnostics.first?.message }
      if reader.diagnostics.isEmpty { problem = nil }
    }
    guard let problem else { return true }
    remarks.append(Remark(.lost, "condition", problem, at: stub.node))
    return false
  }

  // MARK: - Paths

  /// The first path of each shape, with the root if a pattern matches it.
  private func paths(of stubs: [Stub]) -> [PathPattern] {
    var shapes: Set<String> = []
    var paths: [PathPattern] = []
    for stub in stubs {
      var path = stub.path
      // The condition of a pattern belongs to its stub.
      if path.isRest { path = .any }
      if shapes.insert(path.shape).inserted { paths.append(path) }
    }
    let root = PathPattern(route: "/")
    if !shapes.contains("/"), stubs.contains(where: { $0.path.isRest && $0.path.covers(root) == .yes }) {
      paths.append(root)
    }
    return paths
  }

  private mutating func add(_ path: PathPattern, _ stubs: [Stub], _ group: [Int], _ patterns: [Int]) {
    let shape = path.shape
    var list: [(index: Int, stub: Stub)] = group.map { ($0, renamed(stubs[$0], to: path)) }
    for index in patterns where !stubs[index].path.shape.utf8Equals(shape) {
      if let attached = attached(stubs[index], to: path) { list.append((index, attached)) }
    }
    add(path, list.sorted { $0.index < $1.index }.map(\.stub))
  }

  private mutating func add(_ path: PathPattern, _ list: [Stub]) {
    let shape = path.shape
    let own = list.filter { $0.path.shape.utf8Equals(shape) }
    let specific = list.compactMap(\.method).unique()
    let hasAny = list.contains { $0.method == nil }
    if specific.isEmpty { return add(Route(method: "ANY", path: path), list) }
    for method in (specific + (hasAny ? Self.anyMethods : [])).unique() {
      // A method that only patterns have needs no route of its own.
      guard own.contains(where: { $0.method == nil || $0.method == method }) else { continue }
      add(Route(method: method, path: path), list.filter { $0.method == nil || $0.method == method })
    }
  }

  private func renamed(_ stub: Stub, to path: PathPattern) -> Stub {
    guard !stub.path.route.utf8Equals(path.route), !path.isRest else { return stub }
    var stub = stub
    let names = zip(stub.path.variables, path.variables).filter { $0.name != $1.name }.map { ($0.name, $1.name) }
    stub.predicate = stub.predicate.renamingPath(Dictionary(names, uniquingKeysWith: { first, _ in first }))
    for (old, new) in names { stub.reply.replace("request.path.\(old)", by: "request.path.\(new)") }
    return stub
  }

  /// A stub of a pattern on a route that the pattern covers; `nil` if it does not.
  private mutating func attached(_ stub: Stub, to path: PathPattern) -> Stub? {
    switch stub.path.covers(path) {
    case .no: return nil
    case .unknown:
      // Conditions separate two patterns of the same route.
      if !(stub.path.isRest && path.isRest) {
        remarks.append(
          Remark(
            .differs, "overlapping URL patterns", "requests to `\(path.route)` never reach this stub", at: stub.node))
      }
      return nil
    case .yes: break
    }
    var attached = stub
    if stub.path.isRest {
      attached.predicate = .all(
        stub.predicate.parts.filter { part in
          if case .test(.path, "*", _) = part { return false }
          return true
        })
      return attached
    }
    guard !stub.predicate.readsPath else {
      remarks.append(
        Remark(
          .differs, "overlapping URL patterns", "requests to `\(path.route)` never reach this stub", at: stub.node))
      return nil
    }
    for (name, position) in stub.path.variables {
      attached.reply.replace("request.path.\(name)", by: "request.path.[\(position)]")
    }
    return attached
  }

  // MARK: - Replies

  private mutating func add(_ route: Route, _ stubs: [Stub]) {
    var route = route
    var seen: [JSON] = []
    var hasDefault = false
    let machines = stubs.compactMap(\.machine).unique()
    for stub in stubs {
      if let machine = stub.machine, machine != machines[0] {
        remarks.append(
          Remark(
            .lost, "several scenarios of one path", "the route belongs to the scenario `\(machines[0])`", at: stub.node)
        )
        continue
      }
      let when = stub.predicate.when
      var entry = Entry(stub: stub, when: when)
      if stub.state == nil {
        // A tool that chooses the most specific stub tries the others before its default.
        let isTaken = when.map { seen.contains($0) || hasDefault && !stub.isVariant } ?? hasDefault
        if isTaken {
          guard stub.isVariant else {
            remarks.append(
              Remark(
                .differs, "shadowed stub", "an earlier stub responds to all of its requests, so it was not written",
                at: stub.node))
            continue
          }
          (entry.isVariant, entry.when) = (true, nil)
        } else if let when {
          seen.append(when)
        } else {
          hasDefault = true
        }
      }
      route.entries.append(entry)
    }
    guard !route.entries.isEmpty else { return }
    name(&route, isScenario: !machines.isEmpty)
    routes.append(route)
  }

  /// Names the replies that others refer to, each differently.
  private func name(_ route: inout Route, isScenario: Bool) {
    var taken: Set<String> = []
    for index in route.entries.indices {
      let entry = route.entries[index]
      let isDefault = entry.when == nil && !entry.isVariant && entry.stub.state == nil
      guard !isDefault else { continue }
      let base = entry.stub.name.map(ReplyName.slug) ?? ""
      guard !base.isEmpty || entry.isVariant || isScenario else { continue }
      var name = base.isEmpty ? "stub-\(index + 1)" : base
      var number = 1
      while !taken.insert("\(entry.stub.reply.status).\(name)").inserted {
        number += 1
        name = "\(base.isEmpty ? "stub-\(index + 1)" : base)-\(number)"
      }
      route.entries[index].name = name
    }
  }
}

extension Stub {
  /// The scenario that the stub belongs to.
  var machine: String? {
    switch state {
    case .machine(let name, _, _): name
    case .variables: StubMachine.variables
    case nil: nil
    }
  }
}

extension StubReply {
  /// Replaces a name in all templates.
  mutating func replace(_ old: String, by new: String) {
    guard isTemplate else { return }
    for index in headers.indices { headers[index].values = headers[index].values.map { $0.replacing(old, with: new) } }
    if case .text(let text) = body { body = .text(text.replacing(old, with: new)) }
  }
}

/// Names of replies.
enum ReplyName {
  /// The maximum length of a name; files are named after it.
  private static let limit = 60

  /// A name of letters, digits and hyphens.
  static func slug(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(400) {
      if scalar.isASCII, scalar.properties.isAlphabetic || 48...57 ~= scalar.value {
        result.append(Character(scalar).lowercased())
      } else if !result.isEmpty, !result.hasSuffix("-") {
        result.append("-")
      }
    }
    result = String(result.prefix(limit))
    while result.hasSuffix("-") { result.removeLast() }
    return result
  }
}
