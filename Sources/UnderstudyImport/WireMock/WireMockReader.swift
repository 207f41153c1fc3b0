/// Reads stub mappings of WireMock.
struct WireMockReader {
  var context: ImportContext
  /// The folder that `bodyFileName` names files in.
  let filesFolder: String

  static let requestKeys = [
    "method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate", "pathParameters", "queryParameters",
    "headers", "cookies", "basicAuth", "basicAuthCredentials", "bodyPatterns", "multipartPatterns", "formParameters",
  ]
  private static let keys = [
    "id", "uuid", "name", "request", "response", "scenarioName", "requiredScenarioState", "newScenarioState",
    "priority",
    "persistent", "metadata", "insertionIndex", "newRequest", "newResponse",
  ]

  /// The mappings of documents; the latest of equal priority is tried first.
  mutating func read(_ roots: [JSON]) {
    var read: [(priority: Int, stub: Stub)] = []
    for mapping in roots.flatMap(Self.mappings) {
      context.count += 1
      guard context.count <= ImportContext.stubLimit else {
        return context.lost("limit", "a mock takes \(ImportContext.stubLimit) stubs", at: mapping)
      }
      if let stub = stub(mapping) { read.append((mapping["priority"]?.int ?? 5, stub)) }
    }
    let ordered = read.enumerated().sorted { ($0.element.priority, -$0.offset) < ($1.element.priority, -$1.offset) }
    context.stubs += ordered.map(\.element.stub)
  }

  static func mappings(_ root: JSON) -> [JSON] {
    if root.isArray { return Array(root.elements) }
    return root["mappings"].map { Array($0.elements) } ?? [root]
  }

  private mutating func stub(_ mapping: JSON) -> Stub? {
    guard let request = mapping["request"], let response = mapping["response"] else {
      context.lost("mapping", "expected `request` and `response`", at: mapping)
      return nil
    }
    for member in mapping.members where !Self.keys.contains(member.name) {
      context.lost(Self.feature(of: member.name), "`\(member.name)` is not carried over", at: member.key)
    }
    for member in request.members where !Self.requestKeys.contains(member.name) {
      context.lost("request \(member.name)", "`\(member.name)` has no counterpart", at: member.key)
      // A request condition that is missing would make the stub respond to other requests.
      return nil
    }
    guard let path = path(of: request) else { return nil }
    var stub = Stub(mapping, path: path.pattern)
    stub.name = mapping["name"]?.string
    stub.method = request["method"]?.string.flatMap { $0.uppercased() == "ANY" ? nil : $0.uppercased() }
    if let method = request["method"], method.string == nil || method.text.contains("|") {
      context.lost("method matcher", "expected one method", at: method)
      return nil
    }
    guard let conditions = WireMockConditions.read(request, &context) else { return nil }
    stub.predicate = path.pattern.predicate & path.query & conditions
    guard let reply = WireMockResponse.read(response, filesFolder: filesFolder, &context) else { return nil }
    stub.reply = reply
    if let scenario = mapping["scenarioName"]?.string {
      stub.state = .machine(
        scenario, required: mapping["requiredScenarioState"]?.string, next: mapping["newScenarioState"]?.string)
    }
    return stub
  }

  private static func feature(of key: String) -> String {
    ["postServeActions", "serveEventListeners"].contains(key) ? "webhook" : "mapping key \(key)"
  }

  // MARK: - Paths

  /// The path of a request, and the conditions in its query.
  private mutating func path(of request: JSON) -> (pattern: PathPattern, query: Predicate)? {
    if let url = request["url"] {
      let parts = url.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let path = parts.first, path.hasPrefix("/"), let pattern = literal(path, at: url) else {
        context.lost("url", "expected a URL that starts with a slash", at: url)
        return nil
      }
      guard parts.count > 1, !parts[1].isEmpty else {
        context.differs("url without a query", "the route also responds to requests with a query", at: url)
        return (pattern, .always)
      }
      context.differs("url with a query", "parameters in another order, and additional ones, match as well", at: url)
      return (pattern, Self.query(parts[1]))
    }
    if let path = request["urlPath"] {
      guard path.text.hasPrefix("/"), let pattern = literal(path.text, at: path) else {
        context.lost("urlPath", "expected a path that starts with a slash", at: path)
        return nil
      }
      return (pattern, .always)
    }
    if let template = request["urlPathTemplate"] {
      guard template.text.hasPrefix("/") else {
        context.lost("urlPathTemplate", "expected a path that starts with a slash", at: template)
        return nil
      }
      return (PathPattern(route: template.text), .always)
    }
    if let expression = request["urlPathPattern"] {
      return pattern(expression.text, at: expression).map { ($0, .always) }
    }
    if let expression = request["urlPattern"] { return urlPattern(expression) }
    return (.any, .always)
  }

  private mutating func literal(_ path: String, at node: JSON) -> PathPattern? {
    if path.contains(where: { "{}*".contains($0) }) {
      guard let rest = try? Pattern(ecma: "^\(ForeignPattern.escaped(String(path)))$") else { return nil }
      var pattern = PathPattern.any
      pattern.pattern = rest
      pattern.restPattern = "^\(ForeignPattern.escaped(String(path.dropFirst())))$"
      return pattern
    }
    return PathPattern(route: path)
  }

  /// The conditions of a query string.
  static func query(_ text: String) -> Predicate {
    let pairs = text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return halves.map { part in
        PercentEncoding.decode(ArraySlice(part.replacing("+", with: " ").utf8)) ?? String(part)
      }
    }
    let names = pairs.map { $0[0] }.unique()
    return .all(
      names.map { name in
        let values = pairs.filter { $0[0] == name }.map { JSON.string($0.count > 1 ? $0[1] : "") }
        return .test(.query, name, values.count == 1 ? values[0] : .object([("equals", .array(values))]))
      })
  }

  private mutating func pattern(_ expression: String, at node: JSON) -> PathPattern? {
    if let pattern = PathPattern(expression: expression) { return pattern }
    context.lost(
      "URL pattern", "`\(VisibleText.shortened(expression, to: 60))` cannot be written as the path of a route", at: node
    )
    return nil
  }

  /// A pattern of a path with its query.
  private mutating func urlPattern(_ node: JSON) -> (pattern: PathPattern, query: Predicate)? {
    let text = node.text
    guard let mark = text.firstRange(of: "\\?") else {
      // A pattern of everything includes the query.
      let isOpen = text.hasSuffix(".*")
      if !isOpen {
        context.differs("url without a query", "the route also responds to requests with a query", at: node)
      }
      return pattern(text, at: node).map { ($0, .always) }
    }
    guard let path = pattern(String(text[..<mark.lowerBound]), at: node) else { return nil }
    var tests: [Predicate] = []
    for pair in text[mark.upperBound...].split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      if halves.isEmpty || pair == ".*" { continue }
      let name = String(halves[0])
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }), halves.count == 2,
        let test = context.pattern(String(halves[1]), isWhole: true, at: node)
      else {
        context.lost("URL pattern", "its query cannot be written as conditions", at: node)
        return nil
      }
      tests.append(.test(.query, name, test))
    }
    context.differs("url with a query", "parameters in another order, and additional ones, match as well", at: node)
    return (path, .all(tests))
  }
}
