package import UnderstudyJSON
import UnderstudySockets

/// Responses of an operation that a program has chosen, one step after the other.
package struct LaneReply: Codable, Sendable, Hashable {
  /// The number of the reply in its lane, from 1.
  package internal(set) var number = 0
  package let operation: String
  /// The contract of the operation with its id.
  package let key: String
  package let when: RequestMatcher?
  /// At least one; the last one stays, unless it has a number of times.
  package private(set) var steps: [Step]
  /// The number of requests after which it is over; `nil` without an end.
  package let times: Int?
  package private(set) var answered = 0
  private var position = 0
  private var given = 0

  package init(to operation: MockOperation, when: RequestMatcher? = nil, steps: [Step], times: Int? = nil) {
    self.operation = operation.id
    key = operation.key
    self.when = when
    self.steps = steps
    self.times = times
  }

  package struct Step: Codable, Sendable, Hashable {
    /// A status, a meaning or a variant; without one and without a response the mock answers as usual.
    package var cell: String?
    /// A response that the contract need not document.
    package var response: Response?
    package var stream: Stream?
    package var delay: Duration?
    /// A delay and a fault without conditions and chance.
    package var fault: FaultPlan?
    /// The number of requests before the next step's turn; `nil` for one.
    package var times: Int?

    package init() {}

    /// For messages: `401`, `reset`, `an inline 418`, `usual`.
    package var label: String {
      let name = cell ?? response.map { "an inline \($0.status)" } ?? stream.map { "a stream with \($0.status)" }
      let parts = [name, fault?.text, delay.map { "after \(ScenarioDuration.text($0))" }].compactMap(\.self)
      return parts.isEmpty ? "usual" : parts.joined(separator: " ")
    }

    fileprivate func override(of operation: MockOperation) -> ReplyOverride {
      let outcome = fault?.fixed
      var override = ReplyOverride(
        response.map { $0.answer(of: operation) } ?? stream.map { $0.answer(of: operation) }
          ?? cell.flatMap { try? operation.forcing(named: $0).get() }.map { .cell($0) } ?? .usual,
        delay: delay ?? outcome?.delay, fault: outcome?.fault)
      override.template = response?.filling
      return override
    }
  }

  package struct Stream: Codable, Sendable, Hashable {
    package let status: Int
    /// The list as it was sent.
    package let events: JSONValue
    private let script: EventStreamScript

    /// - Parameter events: A list that `LaneReplyEvents` has read.
    init(status: Int, events: JSONValue, _ script: EventStreamScript) {
      (self.status, self.events, self.script) = (status, events, script)
    }

    private enum CodingKeys: CodingKey { case status, events }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      status = try values.decode(Int.self, forKey: .status)
      events = try values.decode(JSONValue.self, forKey: .events)
      var findings = MappingReader.fixtures
      script = EventStreamScript(LaneReplyEvents.read(JSON(events), &findings))
      if let first = findings.all.first {
        throw DecodingError.dataCorruptedError(forKey: .events, in: values, debugDescription: first.message)
      }
    }

    fileprivate func answer(of operation: MockOperation) -> ReplyOverride.Answer {
      .stream(script, status: status, description: "reply \(operation.id)/\(status) of the lane")
    }
  }

  package struct Response: Codable, Sendable, Hashable {
    package let status: Int
    package let headers: [Field]
    package let body: [UInt8]
    /// The templates of body and header fields; `nil` for a response that is sent as it is.
    private let template: ReplyTemplate?
    /// Whether the reply says that it is no template.
    private let isPlain: Bool

    fileprivate var filling: ResponseTemplate? { template?.template }

    package struct Field: Codable, Sendable, Hashable {
      package let name: String
      package let value: String

      package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package init(
      status: Int, headers: [Field], body: [UInt8], template: ReplyTemplate? = nil, isPlain: Bool = false
    ) {
      (self.status, self.headers, self.body) = (status, headers, body)
      (self.template, self.isPlain) = (template, isPlain)
    }

    /// The first tag of a response that is no template, and does not say so.
    fileprivate var unfilledTag: String? {
      guard template == nil, !isPlain else { return nil }
      return ([body] + headers.map { Array($0.value.utf8) }).lazy.compactMap { text in
        TemplateTag.first(in: text).map { String(decoding: text[$0], as: UTF8.self) }
      }.first
    }

    /// A body of text is stored as text, so that its secrets are found where the state is shown.
    private enum CodingKeys: String, CodingKey { case status, headers, text, base64, template }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      status = try values.decode(Int.self, forKey: .status)
      headers = try values.decode([Field].self, forKey: .headers)
      if let text = try values.decodeIfPresent(String.self, forKey: .text) {
        body = Array(text.utf8)
      } else if let bytes = Base64.decode(Array(try values.decode(String.self, forKey: .base64).utf8)) {
        body = bytes
      } else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not base64"))
      }
      let isTemplate = try values.decodeIfPresent(Bool.self, forKey: .template)
      isPlain = isTemplate == false
      do {
        template = isTemplate == true ? try ReplyTemplate(body, headers.map { ($0.name, $0.value) }) : nil
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .template, in: values, debugDescription: error.problem.message)
      }
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(status, forKey: .status)
      try values.encode(headers, forKey: .headers)
      if template != nil || isPlain { try values.encode(!isPlain, forKey: .template) }
      if let text = String(validating: body, as: UTF8.self) {
        try values.encode(text, forKey: .text)
      } else {
        try values.encode(Base64.encode(body), forKey: .base64)
      }
    }

    fileprivate func answer(of operation: MockOperation) -> ReplyOverride.Answer {
      let description = "reply \(operation.id)/\(status) of the lane"
      return .response(
        HTTPResponse(
          code: status, headers.map { (name: $0.name, value: $0.value) }, source: ReplySource(.written(description))),
        body: body, description: description)
    }
  }

  /// The reply with a delay or a fault in each step.
  fileprivate func changed(by change: Step) -> LaneReply {
    var reply = self
    for index in steps.indices {
      reply.steps[index].delay = change.delay ?? steps[index].delay
      reply.steps[index].fault = change.fault ?? steps[index].fault
    }
    return reply
  }

  /// Whether it answers no further request.
  package var isOver: Bool {
    if let times, answered >= times { return true }
    return position == steps.count - 1 && steps[position].times.map { given >= $0 } ?? false
  }

  /// Whether it answers every further request of its operation.
  fileprivate var isEndless: Bool { when == nil && times == nil && steps.last?.times == nil }

  fileprivate var next: Step { steps[isStepOver ? position + 1 : position] }

  private var isStepOver: Bool { position + 1 < steps.count && given >= steps[position].times ?? 1 }

  fileprivate mutating func count() {
    if isStepOver { (position, given) = (position + 1, 0) }
    given += 1
    answered += 1
  }

  /// Why a step has answered no request; `nil` once each has.
  package var unused: String? {
    if answered == 0 {
      let cause = when == nil ? "`\(operation)` was never called" : "no request to `\(operation)` matched the condition"
      return "\(cause): the reply \(steps[0].label) was not sent"
    }
    guard position + 1 < steps.count else { return nil }
    return "`\(operation)` was called \(answered.counted("time")): the reply \(steps[position + 1].label) was not sent"
  }

  package var json: JSON {
    .object(
      ("number", .integer(number)), ("operation", .string(operation)),
      ("steps", .array(steps.map { .string($0.label) })), ("answered", .integer(answered)),
      ("isOver", JSON(booleanLiteral: isOver)),
      (
        "warning",
        steps.lazy.compactMap { $0.response?.unfilledTag }.first.map { tag in
          .string("`\(tag)` is sent as text: add `template: true`, or `template: false` to send it as it is")
        }
      ))
  }
}

extension LaneState {
  package static let replyLimit = 200

  /// The response that was chosen for a request, and the index of its reply: the latest reply that matches the request.
  func nextReply(
    to operation: MockOperation, _ request: RequestView, within budget: WorkBudget?
  ) -> (answer: ReplyOverride, index: Int)? {
    let index = replies.lastIndex { reply in
      reply.key.utf8Equals(operation.key) && !reply.isOver && reply.when?.matches(request, within: budget) != false
    }
    return index.map { (replies[$0].next.override(of: operation), $0) }
  }

  mutating func countReply(at index: Int) { replies[index].count() }

  /// Adds a reply. A spent reply makes room for it; without one a full lane stays as it is.
  package mutating func add(_ reply: LaneReply) {
    if replies.count >= Self.replyLimit {
      guard let spent = replies.indices.first(where: isSpent) else { return }
      replies.remove(at: spent)
    }
    var reply = reply
    replyCount += 1
    reply.number = replyCount
    replies.append(reply)
  }

  /// The state of a lane that begins with what was chosen for this one, and without its requests. Its replies go on where the
  /// replies of this one stand.
  package func anew(of mock: Mock, _ name: LaneName) -> LaneState {
    var opening = origin ?? LaneOpening()
    opening.name = name
    var state = opening.state(of: mock)
    if scenario != state.scenario { state.play(scenario, in: mock) }
    // A sweep ends its runs by itself.
    (state.seed, state.clock, state.limit, state.checks) = (seed, clock, nil, checks)
    (state.forced, state.faults, state.sockets.faults) = (forced, faults, sockets.faults)
    (state.replies, state.replyCount) = (replies, replyCount)
    state.routes = routes
    return state
  }

  /// Delays or breaks every response of an operation, also the responses of its replies.
  mutating func change(repliesTo operation: MockOperation, by step: LaneReply.Step) {
    var step = step
    step.times = nil
    let given = replies.map { $0.key.utf8Equals(operation.key) ? $0.changed(by: step) : $0 }
    (replies, replyCount) = ([], 0)
    for reply in [LaneReply(to: operation, steps: [step])] + given { add(reply) }
  }

  /// Whether a reply answers no further request, and the verdict does not list it as unused.
  private func isSpent(at index: Int) -> Bool {
    let reply = replies[index]
    return reply.unused == nil
      && (reply.isOver || replies[(index + 1)...].contains { $0.isEndless && $0.key.utf8Equals(reply.key) })
  }
}
