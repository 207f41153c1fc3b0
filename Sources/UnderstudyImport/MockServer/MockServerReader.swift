/// Reads expectations of MockServer.
struct MockServerReader {
  private var context: ImportContext
  private let filesFolder: String

  private static let keys = [
    "id", "httpRequest", "httpResponse", "httpError", "times", "timeToLive", "priority",
  ]
  private static let requestKeys = [
    "method", "path", "pathParameters", "queryStringParameters", "headers", "cookies", "body", "keepAlive", "secure",
    "protocol",
  ]
  private static let responseKeys = [
    "statusCode", "reasonPhrase", "headers", "cookies", "body", "delay", "connectionOptions",
  ]
  /// The maximum number of uses of the expectations of one route.
  private static let useLimit = 50

  private struct Expectation {
    var stub: Stub
    var priority: Int
    var uses: Int?
  }

  static func read(_ documents: [JSON], filesFolder: String, _ context: inout ImportContext) {
    var reader = MockServerReader(context: context, filesFolder: filesFolder)
    var list: [Expectation] = []
    for node in documents.flatMap({ $0.isArray ? Array($0.elements) : [$0] }) {
      reader.context.count += 1
      if let expectation = reader.expectation(node) { list.append(expectation) }
    }
    let ordered = list.enumerated().sorted { (-$0.element.priority, $0.offset) < (-$1.element.priority, $1.offset) }
    reader.add(ordered.map(\.element))
    context = reader.context
  }

  private init(context: ImportContext, filesFolder: String) {
    (self.context, self.filesFolder) = (context, filesFolder)
  }

  private mutating func expectation(_ node: JSON) -> Expectation? {
    for member in node.members where !Self.keys.contains(member.name) {
      let isForward = member.name.lowercased().contains("forward")
      context.lost(
        isForward ? "forward" : member.name,
        isForward ? "serve the upstream with `--upstream` instead" : "`\(member.name)` has no counterpart",
        at: member.key)
      if member.name.hasPrefix("http") { return nil }
    }
    guard let request = node["httpRequest"], request.isObject else {
      context.lost("expectation", "expected `httpRequest`", at: node)
      return nil
    }
    for member in request.members where !Self.requestKeys.contains(member.name) {
      context.lost("request \(member.name)", "`\(member.name)` has no counterpart", at: member.key)
      return nil
    }
    guard let path = path(request["path"]) else { return nil }
    var stub = Stub(node, path: path)
    stub.name = node["id"]?.string
    if let method = request["method"] {
      guard method.isString, method.text.allSatisfy(\.isLetter) else {
        context.lost("method matcher", "expected one method", at: method)
        return nil
      }
      stub.method = method.text.isEmpty ? nil : method.text.uppercased()
    }
    var conditions = MockServerConditions(context: context)
    let predicate = conditions.read(request)
    context = conditions.context
    guard conditions.isComplete else { return nil }
    stub.predicate = path.predicate & predicate
    guard let reply = reply(node) else { return nil }
    stub.reply = reply
    if let life = node["timeToLive"], life["unlimited"]?.bool != true {
      context.lost("timeToLive", "the stub has no end here", at: life)
    }
    let times = node["times"]
    let uses = times?["unlimited"]?.bool == true ? nil : times?["remainingTimes"]?.int
    return Expectation(stub: stub, priority: node["priority"]?.int ?? 0, uses: uses)
  }

  private mutating func path(_ node: JSON?) -> PathPattern? {
    guard let node, !(node.isString && node.text.isEmpty) else { return .any }
    let text = node.text
    if node.isString, !text.hasPrefix("!") {
      let isExpression = text.contains { "*+?[](|^$\\".contains($0) }
      let route = text.hasPrefix("/") ? text : "/" + text
      if !isExpression, RouteKeyCheck.problem(route) == nil { return PathPattern(route: route) }
      if let path = PathPattern(expression: text) { return path }
    }
    context.lost("path matcher", "it cannot be written as the path of a route", at: node)
    return nil
  }

  // MARK: - Uses

  /// Adds stubs, of which limited ones become states of a scenario.
  private mutating func add(_ list: [Expectation]) {
    var chains: [String: [Expectation]] = [:]
    func key(_ stub: Stub) -> String { "\(stub.method ?? "ANY") \(stub.path.route)" }
    for expectation in list where expectation.uses != nil {
      chains[key(expectation.stub), default: []].append(expectation)
    }
    var done: Set<String> = []
    for expectation in list {
      guard let uses = expectation.uses else {
        context.stubs.append(expectation.stub)
        continue
      }
      let name = key(expectation.stub)
      let chain = chains[name] ?? []
      let total = chain.reduce(0) { $0 + max(0, min($1.uses ?? 0, Self.useLimit + 1)) }
      let isSame = chain.allSatisfy { $0.stub.predicate.when == expectation.stub.predicate.when }
      guard isSame, 1...Self.useLimit ~= total else {
        context.lost(
          "times", "\(uses) uses beside others of the same path have no counterpart", at: expectation.stub.node)
        continue
      }
      guard done.insert(name).inserted else { continue }
      var use = 0
      for member in chain {
        for _ in 0..<(member.uses ?? 0) {
          var stub = member.stub
          let state = use == 0 ? StubMachine.start : "use \(use + 1)"
          use += 1
          stub.state = .machine(name, required: state, next: use == total ? "exhausted" : "use \(use + 1)")
          context.stubs.append(stub)
        }
      }
    }
  }

  // MARK: - Responses

  private mutating func reply(_ node: JSON) -> StubReply? {
    var reply = StubReply()
    if let error = node["httpError"] {
      guard error["responseBytes"] == nil else {
        context.lost("error with bytes", "a fault has bytes of its own", at: error)
        return nil
      }
      reply.faults = ["close"]
      delay(error["delay"], &reply)
      return reply
    }
    guard let response = node["httpResponse"] else {
      context.lost("expectation", "expected `httpResponse`", at: node)
      return nil
    }
    for member in response.members where !Self.responseKeys.contains(member.name) {
      context.lost("response \(member.name)", "`\(member.name)` has no counterpart", at: member.key)
    }
    reply.status = response["statusCode"]?.int ?? 200
    guard 200...599 ~= reply.status else {
      context.lost("status", "a mock sends statuses from 200 to 599", at: response)
      return nil
    }
    if let reason = response["reasonPhrase"] {
      context.differs("reason phrase", "the reason phrase of the status is sent", at: reason)
    }
    if let options = response["connectionOptions"] {
      if options["closeSocket"]?.bool == true, options.count == 1 {
        reply.faults = ["close:end"]
      } else {
        context.lost("connectionOptions", "use a fault instead", at: options)
      }
    }
    for (name, values) in MockServerConditions.named(response["headers"]) {
      for value in values { reply.addHeader(name, value.text) }
    }
    for (name, values) in MockServerConditions.named(response["cookies"]) {
      for value in values { reply.addHeader("Set-Cookie", "\(name)=\(value.text)") }
    }
    delay(response["delay"], &reply)
    guard let body = response["body"] else { return reply }
    return self.body(body, &reply) ? reply : nil
  }

  private func delay(_ node: JSON?, _ reply: inout StubReply) {
    guard let node, let value = node["value"]?.int, value > 0 else { return }
    let factors = ["MICROSECONDS": 0.001, "NANOSECONDS": 0, "SECONDS": 1_000, "MINUTES": 60_000, "HOURS": 3_600_000]
    let milliseconds = Double(value) * (factors[node["timeUnit"]?.text ?? ""] ?? 1)
    reply.delay = DelayText.milliseconds(Int(min(milliseconds, 3.6e6)))
  }

  private mutating func body(_ node: JSON, _ reply: inout StubReply) -> Bool {
    if node.isString {
      reply.body = .text(node.text)
      return true
    }
    switch node["type"]?.string ?? (node["json"] != nil ? "JSON" : node["string"] != nil ? "STRING" : "") {
    case "", "JSON":
      let value = node["json"] ?? node
      let text = value.isString ? value.text : JSONWriter.text(value)
      reply.body = (try? JSONParser.parse(Array(text.utf8)).root).map { .json($0) } ?? .text(text)
      if !reply.hasContentType { reply.addHeader("Content-Type", node["contentType"]?.string ?? "application/json") }
    case "STRING", "XML":
      reply.body = .text((node["string"] ?? node["xml"])?.text ?? "")
      if let type = node["contentType"]?.string, !reply.hasContentType { reply.addHeader("Content-Type", type) }
    case "BINARY":
      guard let bytes = (node["base64Bytes"]?.string).flatMap(Base64Text.decoded) else {
        context.lost("binary body", "expected Base64", at: node)
        return false
      }
      reply.body = .bytes(bytes, fileExtension: "bin")
      if let type = node["contentType"]?.string, !reply.hasContentType { reply.addHeader("Content-Type", type) }
    default:
      context.lost("body \(node["type"]?.text ?? "")", "this kind of body has no counterpart", at: node)
      return false
    }
    return true
  }
}
