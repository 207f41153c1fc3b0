/// Reads environments of Mockoon.
struct MockoonReader {
  private var context: ImportContext
  private let environment: JSON
  private let filesFolder: String
  private let buckets: [String: JSON]

  static func read(_ documents: [JSON], filesFolder: String, _ context: inout ImportContext) {
    for document in documents {
      var reader = MockoonReader(context: context, environment: document, filesFolder: filesFolder)
      reader.read()
      context = reader.context
    }
  }

  private init(context: ImportContext, environment: JSON, filesFolder: String) {
    (self.context, self.environment, self.filesFolder) = (context, environment, filesFolder)
    var buckets: [String: JSON] = [:]
    for bucket in environment["data"]?.elements ?? JSON.array([]).elements {
      for key in ["id", "uuid", "name"] { if let name = bucket[key]?.string { buckets[name] = bucket } }
    }
    self.buckets = buckets
  }

  private mutating func read() {
    if environment["proxyMode"]?.bool == true {
      context.lost("proxy", "requests without a route are not forwarded", at: environment["proxyHost"] ?? environment)
    }
    for route in ordered() {
      switch route["type"]?.string {
      case "ws":
        context.count += 1
        context.lost("WebSocket route", "sockets are described beside a contract", at: route)
      case "crud": crud(route)
      default: http(route)
      }
    }
  }

  /// The routes in the order of the folders.
  private func ordered() -> [JSON] {
    let routes = environment["routes"].map { Array($0.elements) } ?? []
    guard let children = environment["rootChildren"] else { return routes }
    let folders = environment["folders"].map { Array($0.elements) } ?? []
    var byID: [String: JSON] = [:]
    for route in routes { byID[route["uuid"]?.text ?? ""] = route }
    var ordered: [JSON] = []
    var seen: Set<String> = []
    func add(_ children: JSON, depth: Int) {
      for child in children.elements where depth < 32 {
        let id = child["uuid"]?.text ?? ""
        guard seen.insert(id).inserted else { continue }
        if let route = byID[id] { ordered.append(route) }
        if let folder = folders.first(where: { $0["uuid"]?.text == id })?["children"] { add(folder, depth: depth + 1) }
      }
    }
    add(children, depth: 0)
    return ordered + routes.filter { route in !seen.contains(route["uuid"]?.text ?? "") }
  }

  /// The path of a route; `nil` with a remark.
  private mutating func path(of route: JSON) -> PathPattern? {
    let prefix = environment["endpointPrefix"]?.text ?? ""
    let text = [prefix, route["endpoint"]?.text ?? ""].map { $0.split(separator: "/").joined(separator: "/") }
      .filter { !$0.isEmpty }.joined(separator: "/")
    if let path = ExpressPath.route("/" + text) { return PathPattern(route: path) }
    context.lost(
      "endpoint", "`\(VisibleText.shortened(text, to: 60))` is not the path of a route", at: route["endpoint"] ?? route)
    return nil
  }

  // MARK: - Collections

  private mutating func crud(_ route: JSON) {
    context.count += 1
    guard let path = path(of: route) else { return }
    let response = route["responses"]?[0]
    let bucket = response?["databucketID"]?.string.flatMap { buckets[$0] }
    let segments = PathPattern.segments(path.route)
    guard let value = bucket?["value"]?.string, !value.contains("{{"),
      let items = try? JSONParser.parse(Array(value.utf8)).root, items.isArray, items.count > 0,
      items.elements.allSatisfy(\.isObject), segments.count == 1, path.isLiteral, !segments[0].isEmpty
    else {
      return context.lost(
        "CRUD route", "a collection needs one segment and a data bucket with a list of objects, without tags", at: route
      )
    }
    context.differs(
      "CRUD route", "filters, sorting and pages have the names of json-server, and 404 its body", at: route)
    context.data.append((segments[0], items))
  }

  // MARK: - Responses

  private mutating func http(_ route: JSON) {
    let responses = route["responses"].map { Array($0.elements) } ?? []
    context.count += responses.count
    guard let path = path(of: route) else { return }
    let method = route["method"]?.string?.uppercased()
    let mode = route["responseMode"]?.string
    if mode == "RANDOM" {
      context.lost("response mode RANDOM", "the default responds; `--force` chooses at random", at: route)
    }
    var conditional: [Stub] = []
    var defaults: [Stub] = []
    var variants: [Stub] = []
    let hasDefault = responses.contains { $0["default"]?.bool == true }
    for (index, response) in responses.enumerated() {
      var stub = Stub(response, path: path)
      stub.method = method == "ALL" || method == "" ? nil : method
      stub.name = response["label"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      guard let reply = reply(response) else { continue }
      stub.reply = reply
      stub.isVariant = true
      if mode == "SEQUENTIAL" {
        let states = [StubMachine.start] + responses.indices.dropFirst().map { "request \($0 + 1)" }
        stub.state = .machine(
          "\(stub.method ?? "ANY") \(path.route)", required: states[index], next: states[(index + 1) % states.count])
        conditional.append(stub)
        continue
      }
      let isDefault = hasDefault ? response["default"]?.bool == true : index == 0
      if isDefault, mode != "FALLBACK" {
        defaults.append(stub)
        continue
      }
      guard mode == nil || mode == "FALLBACK", let rules = response["rules"], rules.count > 0 else {
        variants.append(stub)
        continue
      }
      guard let predicate = predicate(response, rules) else { continue }
      stub.predicate = predicate
      conditional.append(stub)
    }
    // A route without a default would send a response that is meant for explicit requests only.
    if defaults.isEmpty, !variants.isEmpty {
      for variant in variants {
        context.lost("response on request", "the default response of the route was not carried over", at: variant.node)
      }
      variants = []
    }
    context.stubs += conditional + defaults + variants
  }

  private mutating func predicate(_ response: JSON, _ rules: JSON) -> Predicate? {
    var list: [Predicate] = []
    for rule in rules.elements {
      guard let test = MockoonRule.predicate(rule, &context) else { return nil }
      list.append(rule["invert"]?.bool == true ? .not(test) : test)
    }
    return response["rulesOperator"]?.string == "AND" || list.count == 1 ? .all(list) : .any(list)
  }

  private mutating func reply(_ response: JSON) -> StubReply? {
    var reply = StubReply()
    // Older files have the status as a string.
    reply.status = response["statusCode"].flatMap { $0.int ?? Int($0.text) } ?? 200
    guard 200...599 ~= reply.status else {
      context.lost("status", "a mock sends statuses from 200 to 599", at: response["statusCode"] ?? response)
      return nil
    }
    let own = response["headers"].map { Array($0.elements) } ?? []
    let common = environment["headers"].map { Array($0.elements) } ?? []
    let names = own.map { $0["key"]?.text.lowercased() ?? "" }
    for header in own + common.filter({ !names.contains($0["key"]?.text.lowercased() ?? "") }) {
      guard let key = header["key"]?.text, !key.isEmpty else { continue }
      reply.addHeader(key, header["value"]?.text ?? "")
    }
    let latency = (response["latency"]?.int ?? 0) + (environment["latency"]?.int ?? 0)
    if latency > 0 { reply.delay = DelayText.milliseconds(latency) }
    guard let body = body(response, &reply) else { return nil }
    reply.body = body
    if let callbacks = response["callbacks"], callbacks.count > 0 {
      context.lost("callback", "callbacks are declared in a contract", at: callbacks)
    }
    guard response["disableTemplating"]?.bool != true, reply.texts.contains(where: { $0.contains("{{") }) else {
      return reply
    }
    let buckets = buckets
    if case .text(let text) = reply.body { reply.body = .text(MockoonTemplate.withCommas(text)) }
    let isFilled = context.fill(&reply, at: response["body"] ?? response) { content throws(ForeignTemplate.Problem) in
      try MockoonTemplate.translated(content, buckets)
    }
    return isFilled ? reply : nil
  }

  private mutating func body(_ response: JSON, _ reply: inout StubReply) -> StubReply.Body? {
    let file = response["filePath"]?.string ?? ""
    let type = response["bodyType"]?.string ?? (file.isEmpty ? "INLINE" : "FILE")
    switch type {
    case "FILE" where !file.isEmpty:
      reply.infersType = true
      return ImportedFile.body(response["filePath"] ?? response, in: filesFolder, &context)
    case "DATABUCKET":
      guard let text = response["databucketID"]?.string.flatMap({ buckets[$0] })?["value"]?.string else {
        context.lost("data bucket", "no data bucket has this id", at: response["databucketID"] ?? response)
        return nil
      }
      if !reply.hasContentType { reply.addHeader("Content-Type", "application/json") }
      if text.contains("{{") {
        context.differs("data bucket with tags", "the tags are filled for each request", at: response)
        return .text(text)
      }
      return (try? JSONParser.parse(Array(text.utf8)).root).map { .json($0) } ?? .text(text)
    default: return response["body"].map { .text($0.text) } ?? StubReply.Body.none
    }
  }
}

/// Paths of Express, as in Mockoon: `users/:id`, `files/*`.
enum ExpressPath {
  /// The path of a route; `nil` for optional and repeated parameters.
  static func route(_ text: String) -> String? {
    var segments: [String] = []
    let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if part == "*" || part == "(.*)" || part == "{*splat}" {
        guard index == parts.count - 1 else { return nil }
        segments.append("*")
        continue
      }
      var result = ""
      var rest = part
      while let colon = rest.firstIndex(of: ":") {
        result += rest[..<colon]
        let name = rest[rest.index(after: colon)...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        rest = rest[rest.index(after: colon)...].dropFirst(name.count)
        guard !name.isEmpty else { return nil }
        var pattern = ""
        if rest.first == "(", let close = rest.lastIndex(of: ")") {
          pattern = ":" + rest[rest.index(after: rest.startIndex)..<close]
          rest = rest[rest.index(after: close)...]
        }
        result += "{\(name)\(pattern)}"
      }
      guard !rest.contains(where: { "?+*()".contains($0) }) else { return nil }
      segments.append(result + rest)
    }
    return "/" + segments.joined(separator: "/")
  }
}
