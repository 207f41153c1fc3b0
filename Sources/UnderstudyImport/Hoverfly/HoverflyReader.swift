/// Reads simulations of Hoverfly (version 5).
struct HoverflyReader {
  private var context: ImportContext
  private let filesFolder: String
  /// The delays by URL pattern; the first matching pattern applies.
  private var delays: [(pattern: Pattern, method: String, milliseconds: Int)] = []
  private var isComplete = true

  static func read(_ documents: [JSON], filesFolder: String, _ context: inout ImportContext) {
    for document in documents {
      var reader = HoverflyReader(context: context, filesFolder: filesFolder)
      reader.read(document["data"] ?? document)
      context = reader.context
    }
  }

  private init(context: ImportContext, filesFolder: String) {
    (self.context, self.filesFolder) = (context, filesFolder)
  }

  private mutating func read(_ data: JSON) {
    let actions = data["globalActions"]
    for rule in actions?["delays"]?.elements ?? JSON.array([]).elements {
      guard let pattern = try? Pattern(ecma: rule["urlPattern"]?.text ?? "") else {
        context.lost("global delay", "its URL pattern has no counterpart in ECMA-262", at: rule)
        continue
      }
      delays.append((pattern, rule["httpMethod"]?.text ?? "", rule["delay"]?.int ?? 0))
    }
    for rule in actions?["delaysLogNormal"]?.elements ?? JSON.array([]).elements {
      context.lost("global delay", "`--delay` on the command line names operations", at: rule)
    }
    for pair in data["pairs"]?.elements ?? JSON.array([]).elements {
      context.count += 1
      if let stub = stub(pair) { context.stubs.append(stub) }
    }
  }

  private mutating func stub(_ pair: JSON) -> Stub? {
    guard let request = pair["request"], let response = pair["response"] else {
      context.lost("pair", "expected `request` and `response`", at: pair)
      return nil
    }
    isComplete = true
    for name in ["destination", "scheme"] {
      if let node = request[name], node.count > 0 {
        context.differs(name, "every host and scheme matches", at: node)
      }
    }
    guard let path = path(request["path"]) else { return nil }
    var stub = Stub(pair, path: path)
    if let methods = request["method"], methods.count > 0 {
      guard methods.count == 1, let method = methods[0], method["matcher"]?.string == "exact" else {
        context.lost("method matcher", "expected one method", at: methods)
        return nil
      }
      stub.method = method["value"]?.text.uppercased()
    }
    var list: [Predicate] = [path.predicate]
    for (key, part) in [("query", RequestPart.query), ("headers", .header)] {
      for member in request[key]?.members ?? JSON.object([]).members {
        for matcher in member.value.elements { list.append(predicate(matcher, part, member.name)) }
      }
    }
    for matcher in request["body"]?.elements ?? JSON.array([]).elements { list.append(predicate(matcher, .body, "$")) }
    guard isComplete, var reply = reply(response) else { return nil }
    delay(&reply, request, response)
    stub.predicate = .all(list)
    stub.reply = reply
    stub.state = state(request["requiresState"], response)
    return stub
  }

  // MARK: - Matchers

  private mutating func reject(_ feature: String, _ message: String, at node: JSON) -> Predicate {
    isComplete = false
    context.lost(feature, message, at: node)
    return .always
  }

  private mutating func path(_ node: JSON?) -> PathPattern? {
    guard let node, node.count > 0 else { return .any }
    if node.count == 1, let matcher = node[0] {
      let value = matcher["value"]?.text ?? ""
      switch matcher["matcher"]?.string {
      case "exact" where value.hasPrefix("/") && RouteKeyCheck.problem(value) == nil: return PathPattern(route: value)
      case "glob":
        let expression = value.split(separator: "*", omittingEmptySubsequences: false)
          .map { ForeignPattern.escaped(String($0)).replacing("\\/", with: "/") }.joined(separator: ".*")
        if let path = PathPattern(expression: expression) { return path }
      case "regex":
        if let path = PathPattern(expression: Self.whole(value)) { return path }
      default: break
      }
    }
    context.lost("path matcher", "it cannot be written as the path of a route", at: node)
    return nil
  }

  /// Turns an expression that is searched for into an expression for whole strings.
  private static func whole(_ text: String) -> String {
    var body = text
    let (isStart, isEnd) = (body.hasPrefix("^"), body.hasSuffix("$") && !body.hasSuffix("\\$"))
    if isStart { body.removeFirst() }
    if isEnd { body.removeLast() }
    return (isStart || body.hasPrefix(".*") ? "" : ".*") + body + (isEnd || body.hasSuffix(".*") ? "" : ".*")
  }

  private mutating func predicate(_ matcher: JSON, _ part: RequestPart, _ name: String) -> Predicate {
    let value = matcher["value"] ?? .string("")
    let text = value.text
    if matcher["doMatch"]?.isObject == true || matcher["config"].map({ $0.count > 0 }) == true {
      return reject("chained matcher", "a matcher of a result has no counterpart", at: matcher)
    }
    func test(_ test: JSON) -> Predicate { .test(part, name, test) }
    switch matcher["matcher"]?.string {
    case "exact": return text.isEmpty && name == "$" ? test(.null) : test(.string(text))
    case "glob":
      let expression = text.split(separator: "*", omittingEmptySubsequences: false)
        .map { ForeignPattern.escaped(String($0)) }.joined(separator: "[\\s\\S]*")
      return test(Predicate.matches("^\(expression)$"))
    case "regex":
      guard let pattern = context.pattern(text, isWhole: false, at: value) else {
        isComplete = false
        return .always
      }
      return test(pattern)
    case "negate", "negation": return .not(test(.string(text)))
    case "array" where value.isArray:
      return test(.object([("equals", .array(value.elements.map { .string($0.text) }))]))
    case "json" where part == .body, "jsonPartial" where part == .body, "jsonpartial" where part == .body:
      guard let expected = try? JSONParser.parse(Array(text.utf8)).root else {
        return reject("JSON matcher", "the value is not valid JSON", at: value)
      }
      return test(.object([(matcher["matcher"]?.text == "json" ? "equalsJson" : "containsJson", expected)]))
    case "jsonpath" where part == .body:
      guard let path = ForeignPath.jsonPath(text) else {
        return reject("JSONPath", "expected a JSONPath of RFC 9535", at: value)
      }
      return .test(.body, path, Predicate.present)
    case "xpath" where part == .body:
      guard let (path, test) = ForeignPath.xPath(text) else {
        return reject("XPath", "expected a plain XPath", at: value)
      }
      return .test(.body, path, test ?? Predicate.present)
    case "form" where part == .body && value.isObject:
      var list: [Predicate] = []
      for member in value.members {
        for inner in member.value.elements { list.append(predicate(inner, .body, member.name)) }
      }
      return .all(list)
    case let other: return reject("matcher \(other ?? "")", "this matcher has no counterpart", at: matcher)
    }
  }

  // MARK: - Responses

  private func state(_ requires: JSON?, _ response: JSON) -> Stub.State? {
    let required = requires?.members.map { ($0.name, $0.value.text) } ?? []
    let sets = response["transitionsState"]?.members.map { ($0.name, $0.value.text) } ?? []
    guard !required.isEmpty || !sets.isEmpty else { return nil }
    // A sequence begins at 1.
    if required.count == 1, required[0].0.hasPrefix("sequence:"), sets.allSatisfy({ $0.0 == required[0].0 }) {
      func name(_ value: String) -> String { value == "1" ? StubMachine.start : value }
      return .machine(required[0].0, required: name(required[0].1), next: sets.first.map { name($0.1) })
    }
    return .variables(requires: required, sets: sets)
  }

  /// Adds the delay of the response, or the global delay of its URL.
  private mutating func delay(_ reply: inout StubReply, _ request: JSON, _ response: JSON) {
    func exact(_ name: String) -> String? {
      guard let list = request[name], list.count > 0 else { return "" }
      return list.count == 1 && list[0]?["matcher"]?.string == "exact" ? list[0]?["value"]?.text : nil
    }
    var wait = response["fixedDelay"]?.int ?? 0
    if wait == 0, !delays.isEmpty {
      guard let host = exact("destination"), let path = exact("path"), let method = exact("method") else {
        return context.lost("global delay", "it depends on the URL of each request", at: request)
      }
      let rule = delays.first { rule in
        rule.pattern.matches(host + path) == .yes && (rule.method.isEmpty || rule.method.uppercased() == method)
      }
      wait = rule?.milliseconds ?? 0
    }
    if wait > 0 { reply.delay = DelayText.milliseconds(wait) }
  }

  private mutating func reply(_ response: JSON) -> StubReply? {
    guard var reply = StubReply(head: response, &context) else { return nil }
    let text = response["body"]?.text ?? ""
    if let file = response["bodyFile"], !file.text.isEmpty {
      guard let body = ImportedFile.body(file, in: filesFolder, &context) else { return nil }
      reply.body = body
    } else if response["encodedBody"]?.bool == true {
      guard let bytes = Base64Text.decoded(text) else {
        context.lost("encoded body", "expected Base64", at: response["body"] ?? response)
        return nil
      }
      reply.body = .bytes(bytes, fileExtension: "bin")
    } else if !text.isEmpty {
      reply.body = .text(text)
    }
    if let distribution = response["logNormalDelay"] {
      context.lost("log-normal delay", "its mean and median have no counterpart", at: distribution)
    }
    if let removed = response["removesState"], removed.count > 0 {
      context.lost("removesState", "a variable is not removed here", at: removed)
    }
    if let action = response["postServeAction"], !action.text.isEmpty {
      context.lost("post-serve action", "callbacks are declared in a contract", at: action)
    }
    guard response["templated"]?.bool == true else { return reply }
    return context.fill(&reply, at: response["body"] ?? response, HoverflyTemplate.translated) ? reply : nil
  }
}

/// Tags of Hoverfly as tags of ours.
enum HoverflyTemplate {
  private static let functions = [
    "randomString": "random length=10", "randomUuid": "uuid", "randomBoolean": "random of=true,false",
    "randomInteger": "random", "randomEmail": "random format=email", "randomIPv4": "random format=ipv4",
    "randomIPv6": "random format=ipv6", "iso8601DateTime": "now format='%Y-%m-%dT%H:%M:%SZ'",
  ]

  static func translated(_ content: String) throws(ForeignTemplate.Problem) -> String {
    let words = content.split(separator: " ").map(String.init)
    guard let first = words.first else { return content }
    func unquoted(_ word: String) -> String { word.filter { !"'\"".contains($0) } }
    if words.count == 1, let function = functions[first] { return function }
    switch (first, words.count) {
    case ("Request.Body", 3):
      let path = unquoted(words[2])
      if unquoted(words[1]) == "jsonpath" { return "jsonPath request.body '\(path)'" }
      if unquoted(words[1]) == "xpath", let (plain, test) = ForeignPath.xPath(path), test == nil {
        return "request.body.\(plain)"
      }
      throw ForeignTemplate.Problem(tag: "{{\(content)}}", message: "the path has no counterpart")
    case ("randomStringLength", 2): return "random length=\(words[1])"
    case ("randomIntegerRange", 3): return "random min=\(words[1]) max=\(words[2])"
    default: break
    }
    return ForeignTemplate.replacingWords(in: words.joined(separator: " ")) { word in
      for (theirs, ours) in [
        ("Request.QueryParam.", "request.query."), ("Request.Path.", "request.path."),
        ("Request.Header.", "request.header."),
        ("Request.FormData.", "request.body."), ("State.", "var."),
      ] where word.hasPrefix(theirs) {
        return ours + word.dropFirst(theirs.count)
      }
      return word == "Request.Method" ? "request.method" : word == "Request.Body" ? "request.body" : nil
    }
  }
}
