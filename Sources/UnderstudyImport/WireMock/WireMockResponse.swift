/// Reads a response of WireMock.
struct WireMockResponse {
  private static let keys = [
    "status", "statusMessage", "headers", "body", "jsonBody", "base64Body", "bodyFileName", "fixedDelayMilliseconds",
    "delayDistribution", "chunkedDribbleDelay", "fault", "transformers", "transformerParameters", "fromConfiguredStub",
  ]
  private static let faults = [
    "EMPTY_RESPONSE": "close", "MALFORMED_RESPONSE_CHUNK": "bad-chunk", "RANDOM_DATA_THEN_CLOSE": "garbage",
    "CONNECTION_RESET_BY_PEER": "reset",
  ]

  /// The response; `nil` with a remark if it cannot be sent.
  static func read(_ node: JSON, filesFolder: String, _ context: inout ImportContext) -> StubReply? {
    for member in node.members where !keys.contains(member.name) {
      let isProxy = member.name.lowercased().contains("proxy")
      context.lost(
        isProxy ? "proxy" : "response \(member.name)",
        isProxy ? "serve the upstream with `--upstream` instead" : "`\(member.name)` has no counterpart", at: member.key
      )
      if isProxy { return nil }
    }
    var reply = StubReply()
    reply.status = node["status"]?.int ?? 200
    guard 200...599 ~= reply.status else {
      context.lost("status", "a mock sends statuses from 200 to 599", at: node["status"] ?? node)
      return nil
    }
    if let reason = node["statusMessage"] {
      context.differs("status message", "the reason phrase of the status is sent", at: reason)
    }
    for member in node["headers"]?.members ?? JSON.object([]).members {
      for value in member.value.isArray ? Array(member.value.elements) : [member.value] {
        reply.addHeader(member.name, value.text)
      }
    }
    guard let body = body(node, filesFolder, &context) else { return nil }
    reply.body = body
    delays(node, &reply, &context)
    if let fault = node["fault"] {
      guard let name = faults[fault.text] else {
        context.lost("fault", "unknown fault `\(VisibleText.shortened(fault.text, to: 40))`", at: fault)
        return nil
      }
      reply.faults.append(name)
    }
    let transformers = node["transformers"]?.elements.map(\.text) ?? []
    for name in transformers where name != "response-template" {
      context.lost("transformer", "the transformer `\(VisibleText.shortened(name, to: 40))` is code", at: node)
      return nil
    }
    guard !transformers.isEmpty || context.isAlwaysTemplate else { return reply }
    let parameters = node["transformerParameters"]
    guard
      context.fill(
        &reply, at: node["body"] ?? node["jsonBody"] ?? node["bodyFileName"] ?? node,
        { content throws(ForeignTemplate.Problem) in try WireMockTemplate.translated(content, parameters) })
    else { return nil }
    return reply
  }

  private static func body(_ node: JSON, _ folder: String, _ context: inout ImportContext) -> StubReply.Body? {
    if let value = node["jsonBody"] { return .json(value) }
    if let text = node["body"] {
      return text.isNull ? StubReply.Body.none : .text(text.isString ? text.text : JSONWriter.text(text))
    }
    if let text = node["base64Body"] {
      guard let bytes = Base64Text.decoded(text.text) else {
        context.lost("base64Body", "expected Base64", at: text)
        return nil
      }
      return .bytes(bytes, fileExtension: "bin")
    }
    guard let name = node["bodyFileName"] else { return StubReply.Body.none }
    return ImportedFile.body(name, in: folder, &context)
  }

  private static func delays(_ node: JSON, _ reply: inout StubReply, _ context: inout ImportContext) {
    if let delay = node["fixedDelayMilliseconds"]?.int, delay > 0 { reply.delay = DelayText.milliseconds(delay) }
    if let distribution = node["delayDistribution"] {
      switch distribution["type"]?.text {
      case "uniform":
        let (low, high) = (distribution["lower"]?.int ?? 0, distribution["upper"]?.int ?? 0)
        reply.delay = "\(DelayText.milliseconds(low))..\(DelayText.milliseconds(max(low, high)))"
      case "fixed": reply.delay = DelayText.milliseconds(distribution["milliseconds"]?.int ?? 0)
      case "lognormal":
        let median = DelayText.milliseconds(distribution["median"]?.double.map { Int(max(0, min($0, 3.6e6))) } ?? 0)
        reply.faults.append("delay:lognormal:\(median):\(distribution["sigma"]?.text ?? "0.4")")
        if distribution["maxValue"] != nil {
          context.differs("delayDistribution", "`maxValue` is not a limit here", at: distribution)
        }
      default: context.lost("delayDistribution", "unknown type", at: distribution)
      }
    }
    if let dribble = node["chunkedDribbleDelay"] {
      reply.faults.append("drip:\(DelayText.milliseconds(dribble["totalDuration"]?.int ?? 0))")
      if dribble["numberOfChunks"]?.int != 20 {
        context.differs("chunkedDribbleDelay", "the body comes in twenty pieces in the same time", at: dribble)
      }
    }
  }
}

/// Times of other tools.
enum DelayText {
  /// The maximum delay of a mock, in milliseconds.
  private static let limit = 3_600_000

  static func milliseconds(_ count: Int) -> String { "\(min(max(0, count), limit))ms" }
}

/// Files that imported files name.
enum ImportedFile {
  /// The content of a file below a folder; `nil` with a remark.
  static func body(_ node: JSON, in folder: String, _ context: inout ImportContext) -> StubReply.Body? {
    let name = node.text
    guard !name.contains("{{") else {
      context.lost("templated file name", "a body file has a fixed name", at: node)
      return nil
    }
    var access = FileAccess.none
    access.allow(folder, isShared: false)
    let path = Path.join(folder, name.hasPrefix("/") ? String(name.dropFirst()) : name)
    do throws(FileProblem) {
      let file = try FileSystem.read(path, within: access)
      return .bytes(file.bytes, fileExtension: Path.fileExtension(of: name))
    } catch {
      context.lost("body file", "`\(VisibleText.shortened(name, to: 80))` cannot be read: \(error.message)", at: node)
      return nil
    }
  }
}
