import UnderstudyJSON
import UnderstudySockets

/// Reads a reply of a lane: `{"operation": "readChat", "status": 500, "times": 2}`.
package struct LaneReplyReader {
  private let mock: Mock
  private var findings = MappingReader.fixtures

  private static let stepKeys = [
    "status", "meaning", "fixture", "variant", "headers", "json", "text", "base64", "template", "events", "delay",
    "fault",
  ]
  private static let stepLimit = 1_000

  package static func read(_ body: [UInt8], for mock: Mock) throws(LaneProblem) -> LaneReply {
    let root = try LaneProblem.json(body, help: "send an object, as in {\"operation\": \"readChat\", \"status\": 500}")
    var reader = LaneReplyReader(mock: mock)
    let reply = reader.read(root)
    if let first = reader.findings.all.first {
      let place = first.location.map { "\($0): " } ?? ""
      let isUnknown = [.configInvalid, .fixtureOperationUnknown, .fixtureSequenceCell].contains(first.rule)
      throw LaneProblem(
        isUnknown ? .conflict : .invalid, place + first.message,
        help: first.help
          ?? "a reply takes operation, when, times, steps, and for an answer \(stepKeys.joined(separator: ", "))")
    }
    guard let reply else { throw LaneProblem(.invalid, "the reply cannot be read", help: "see docs/admin.md") }
    return reply
  }

  private init(mock: Mock) { self.mock = mock }

  private mutating func read(_ root: JSON) -> LaneReply? {
    let keys = ["operation", "method", "path", "when", "times", "steps"] + Self.stepKeys
    guard findings.isMapping(root, "a mapping for a reply", keys: keys), let operation = operation(root) else {
      return nil
    }
    var matcher: RequestMatcher?
    if let node = root["when"] {
      var reader = RequestMatcherReader()
      matcher = reader.read(node)
      findings.add(reader.diagnostics)
    }
    let times = times(root)
    guard let list = root["steps"] else {
      return LaneReply(to: operation, when: matcher, steps: [step(root, of: operation)], times: times)
    }
    if let both = Self.stepKeys.first(where: { root[$0] != nil }) {
      findings.report("`\(both)` and `steps` exclude each other: give each step its answer", at: list)
    }
    guard list.isArray, 1...Self.stepLimit ~= list.count else {
      findings.report("expected a list of 1 to \(Self.stepLimit) answers for `steps`", at: list)
      return nil
    }
    let steps = list.elements.map { node -> LaneReply.Step in
      guard findings.isMapping(node, "a mapping for a step", keys: Self.stepKeys + ["times"]) else {
        return LaneReply.Step()
      }
      var step = step(node, of: operation)
      step.times = self.times(node)
      return step
    }
    return LaneReply(to: operation, when: matcher, steps: steps, times: times)
  }

  // MARK: - The operation

  private mutating func operation(_ root: JSON) -> MockOperation? {
    if let node = root["operation"] {
      for key in ["method", "path"] where root[key] != nil {
        findings.report("`operation` and `\(key)` exclude each other", at: node)
      }
      guard let name = findings.string(node, of: "`operation`") else { return nil }
      if let known = mock.operations.first(where: { name != "*" && $0.compiled.isNamed(name) }) { return known }
      findings.report(
        .fixtureOperationUnknown, "no operation is called `\(VisibleText.shortened(name, to: 80))`", at: node,
        help: MockOperation.suggestion(for: name, among: mock.operations)
          ?? (name.contains(" /") ? Self.routeAdvice(on: name) : "`understudy routes` lists them"))
      return nil
    }
    guard let method = root["method"], let path = root["path"] else {
      findings.report(
        "the reply names no operation", at: root,
        help: "expected `operation`, or `method` and `path`, as in {\"operation\": \"readChat\", \"status\": 500}")
      return nil
    }
    guard let verb = findings.string(method, of: "`method`")?.uppercased(),
      let target = findings.string(path, of: "`path`")
    else { return nil }
    let name = "\(verb) \(target)"
    if let known = mock.operations.first(where: { $0.compiled.isNamed(name) }) { return known }
    let bases = [""] + Set(mock.operations.flatMap(\.compiled.basePaths)).sorted()
    for base in bases {
      if case .match(let match) = mock.contractSet.router.route(verb, base + target) {
        return mock.operations[match.operation]
      }
    }
    findings.report(
      .fixtureOperationUnknown, "no operation answers `\(VisibleText.shortened(name, to: 80))`", at: path,
      help: MockOperation.suggestion(for: name, among: mock.operations) ?? Self.routeAdvice(on: name))
    return nil
  }

  /// The ways to add a route that no contract has.
  private static func routeAdvice(on route: String) -> String {
    let key = VisibleText.shortened(route, to: 200)
    return
      "to add the route, POST `{routes: {\"\(key)\": ok}}` to `routes` of the admin API, or write `\(key): ok` below "
      + "`routes:` in a routes file"
  }

  // MARK: - Answers

  private mutating func step(_ node: JSON, of operation: MockOperation) -> LaneReply.Step {
    var step = LaneReply.Step()
    let body = body(node)
    if let events = node["events"] {
      step.stream = stream(events, node)
    } else if body != nil || node["headers"] != nil {
      step.response = response(node, body ?? ([], nil))
      for key in ["meaning", "fixture", "variant"] {
        guard let named = node[key] else { continue }
        findings.report("a response of its own has no `\(key)`", at: named, help: "leave its body and `headers` out")
      }
    } else {
      step.cell = cell(node, of: operation)
    }
    if let template = node["template"], step.response == nil {
      findings.report(
        "`template` is for a response of its own", at: template, help: "give its body as `json` or `text`, or `headers`"
      )
    }
    if let delay = node["delay"] { step.delay = findings.duration(delay, of: "`delay`") }
    if let fault = node["fault"] { step.fault = self.fault(fault) }
    return step
  }

  /// The name of what the contract or a fixture has.
  private mutating func cell(_ node: JSON, of operation: MockOperation) -> String? {
    let named = ["meaning", "fixture", "status"].compactMap { key in node[key].map { (key, $0) } }
    guard let (key, value) = named.first else {
      if let variant = node["variant"] {
        findings.report(
          "`variant` needs the `status` that it is of", at: variant, help: "or give `fixture`: `200.empty`")
      }
      return nil
    }
    if named.count > 1 { findings.report("`\(key)` and `\(named[1].0)` exclude each other", at: named[1].1) }
    guard let text = findings.text(value, of: "`\(key)`") else { return nil }
    let variant = node["variant"].flatMap { findings.string($0, of: "`variant`") }
    let name = text + (variant.map { "." + $0 } ?? "")
    guard case .failure(let problem) = operation.forcing(named: name) else { return name }
    let isStatus = key == "status" && variant == nil && Int(text).map { 200...599 ~= $0 } == true
    findings.report(
      .fixtureSequenceCell, problem.message, at: value,
      help: problem.help
        + (isStatus ? "; with `text`, `json` or `base64` a status is sent that the contract does not document" : ""))
    return nil
  }

  private mutating func stream(_ events: JSON, _ node: JSON) -> LaneReply.Stream? {
    for key in ["meaning", "fixture", "variant", "headers", "json", "text", "base64"] {
      if let other = node[key] { findings.report("`\(key)` and `events` exclude each other", at: other) }
    }
    let script = EventStreamScript(LaneReplyEvents.read(events, &findings))
    let status = node["status"]?.int ?? 200
    if let value = node["status"], value.int.map({ 200...599 ~= $0 }) != true {
      findings.report("expected a status from 200 to 599 for a stream", at: value)
    }
    return LaneReply.Stream(status: status, events: JSONValue(events), script)
  }

  private mutating func response(_ node: JSON, _ body: (bytes: [UInt8], type: String?)) -> LaneReply.Response? {
    var status = 200
    if let value = node["status"] {
      guard let number = value.int, 200...599 ~= number else {
        findings.report("expected a status from 200 to 599", at: value)
        return nil
      }
      status = number
    }
    var headers = headers(node["headers"])
    if let type = body.type,
      !headers.contains(where: { FieldSyntax.equalIgnoringCase($0.name.utf8, "content-type".utf8) })
    {
      headers.insert(LaneReply.Response.Field("Content-Type", type), at: 0)
    }
    return LaneReply.Response(
      status: status, headers: headers, body: body.bytes, template: template(node, body.bytes, headers),
      isPlain: node["template"]?.bool == false)
  }

  /// The templates of a response with `template: true`.
  private mutating func template(
    _ node: JSON, _ body: [UInt8], _ headers: [LaneReply.Response.Field]
  ) -> ReplyTemplate? {
    guard let flag = node["template"], findings.flag(flag, of: "`template`") == true else { return nil }
    if let bytes = node["base64"] {
      findings.report(
        "`base64` and `template` exclude each other", at: bytes, help: "give the body as `json` or `text`")
      return nil
    }
    /// The location of a tag in the value that has its text.
    func location(_ tag: Range<Int>, _ text: [UInt8]) -> Location {
      let fields = node["headers"]?.members.flatMap { $0.value.array ?? [$0.value] } ?? []
      let field = text == body ? nil : fields.first { $0.text.utf8.elementsEqual(text) }
      let value = field ?? node["json"] ?? node["text"] ?? node
      return node.document.source.map { Location(ofTag: tag, in: text, at: value, $0) } ?? Location(start: value)
    }
    do throws(ReplyTemplate.Invalid) {
      let template = try ReplyTemplate(body, headers.map { ($0.name, $0.value) })
      for (name, text) in template.unknown { findings.add(Diagnostic(name, at: location(name.tag, text))) }
      return template
    } catch {
      findings.add(Diagnostic(unreadableTemplate: error.problem, at: location(error.problem.range, error.text)))
      return nil
    }
  }

  /// The body with its media type; `nil` without one.
  private mutating func body(_ node: JSON) -> (bytes: [UInt8], type: String?)? {
    let named = ["json", "text", "base64"].compactMap { key in node[key].map { (key, $0) } }
    guard let (key, value) = named.first else { return nil }
    if named.count > 1 { findings.report("`\(key)` and `\(named[1].0)` exclude each other", at: named[1].1) }
    switch key {
    case "json": return (JSONWriter.bytes(value), "application/json")
    case "text": return (Array((findings.string(value, of: "`\(key)`") ?? "").utf8), "text/plain; charset=utf-8")
    default:
      guard let text = findings.string(value, of: "`\(key)`"), let bytes = Base64.decode(Array(text.utf8)) else {
        findings.report("expected the body in base64", at: value)
        return ([], nil)
      }
      return (bytes, nil)
    }
  }

  private mutating func headers(_ node: JSON?) -> [LaneReply.Response.Field] {
    guard let node, findings.isMapping(node, "a mapping of names to values for `headers`") else { return [] }
    return node.members.flatMap { member in
      let values = findings.texts(member.value, of: "the header field `\(member.name)`")
      if HTTPField.Name(member.name) == nil {
        findings.report("`\(member.name)` is not a valid name of a header field", at: member.key)
      }
      for value in values where !HTTPField.isValidValue(value.text) {
        findings.report("the value of `\(member.name)` cannot be sent", at: value.node, help: "leave line breaks out")
      }
      return values.map { LaneReply.Response.Field(member.name, $0.text) }
    }
  }

  private mutating func fault(_ node: JSON) -> FaultPlan? {
    guard let text = findings.string(node, of: "`fault`") else { return nil }
    do throws(TextProblem) {
      let plan = try FaultReader.read(text)
      if plan.fixed != nil { return plan }
      findings.report(
        "`\(text)` depends on chance or on other requests", at: node,
        help: "leave the condition out, or use `fault` of the lane")
    } catch {
      findings.report(.configInvalid, error.message, at: node, help: error.help)
    }
    return nil
  }

  private mutating func times(_ node: JSON) -> Int? {
    guard let times = node["times"] else { return nil }
    guard let number = times.int, 1...ScenarioSequence.timesLimit ~= number else {
      findings.report("expected a number of requests from 1 to \(ScenarioSequence.timesLimit) for `times`", at: times)
      return nil
    }
    return number
  }
}
