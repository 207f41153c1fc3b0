import HTTPTypes
import UnderstudySystem

/// Sends the request of a callback, and validates the response of its receiver.
struct CallbackAttempt {
  private let order: CallbackOrder
  private let lane: String?
  private let transport: @Sendable () throws -> Transport
  private let request: HTTPRequest
  private let body: [UInt8]

  private var operation: MockOperation { order.operation.operation }

  /// - Parameter number: The number of the callback, which varies dynamic samples.
  init(
    _ order: CallbackOrder, to target: CallbackTarget, in lane: String?, _ settings: CallbackSender.Settings,
    number: Int
  ) {
    (self.order, self.lane, transport) = (order, lane, settings.transport)
    let (compiled, options) = (order.operation.operation.compiled, order.operation.settings)
    let seed = options.isDynamic && number > 1 ? "\(options.seed) \(number - 1)" : options.seed
    let made = compiled.requestBody(order.body ?? order.operation.body, seed: seed, isDynamic: options.isDynamic)
    var fields: HTTPFields = [
      .userAgent: "understudy", .via: (order.via + [URLRewriter.pseudonym]).joined(separator: ", "),
    ]
    for (name, value) in compiled.requiredHeaders(seed: seed) {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if let made { fields[.contentType] = made.contentType }
    body = made?.bytes ?? []
    request = HTTPRequest(
      method: .init(compiled.operation.method) ?? .post, scheme: target.scheme, authority: target.authority,
      path: target.path, headerFields: fields)
  }

  /// Sends the request once; the attempt is final where another one is pointless.
  func send(_ number: Int) async -> (ServedRequest, isFinal: Bool) {
    let start = ContinuousClock.now
    let time = Timestamp.microseconds()
    let isLast = number == CallbackSender.attemptLimit
    var answer: (head: HTTPResponse, body: [UInt8], isWhole: Bool)?
    var failure: String?
    do {
      let (head, content) = try await transport()(request, Body(body))
      switch try await content.collected(upTo: Body.bufferLimit) {
      case .whole(let bytes): answer = (head, bytes, true)
      case .longer: answer = (head, [], false)
      }
    } catch let error as UpstreamFailure {
      failure = error.message
    } catch {
      failure = "\(error)"
    }
    let took = ContinuousClock.now - start
    var result = ValidationResult()
    if let answer {
      result = validated(answer.head, answer.body, isWhole: answer.isWhole, took)
    } else {
      var finding = Diagnostic(
        .callbackUnanswered, "no response to `\(order.operation.name)`: \(failure ?? "")",
        help: isLast ? "it was sent \(number) times; `understudy ctl webhook` sends it again" : "it is sent again")
      if !isLast { finding.severity = .warning }
      result.findings = [finding].compactMap(operation.options.weighed)
    }
    let attempt = number > 1 ? ", attempt \(number)" : ""
    let place = "at \(request.authority ?? "")\(attempt)"
    var reply = Reply(
      .made(answer?.head ?? HTTPResponse(status: .badGateway), body: answer?.body ?? []), operation: operation,
      source: ReplySource(.receiver("\(order.operation.name) \(order.reason) \(place)")), diagnostics: result.findings,
      notValidated: result.notValidated)
    reply.lane = lane
    let exchange = ServedRequest(
      startedAt: time, microseconds: took.wholeMicroseconds, request: SharedRequest(request), body: body, reply: reply,
      status: answer?.head.status.code)
    let isFinal = answer.map { !Self.isTemporary($0.head.status.code) } ?? false
    return (exchange, isFinal || isLast)
  }

  /// Whether a receiver may accept the request later (RFC 9110, 15.6; RFC 6585, 4).
  private static func isTemporary(_ status: Int) -> Bool { status >= 500 || status == 429 || status == 408 }

  private func validated(_ head: HTTPResponse, _ body: [UInt8], isWhole: Bool, _ took: Duration) -> ValidationResult {
    let view = ResponseView(
      status: head.status.code, fields: head.headerFields, body: body, method: request.method.rawValue,
      hadBody: !self.body.isEmpty, duration: took)
    var result = operation.compiled.exchangeValidator(operation.options).validate(ValidationResult(), view)
    if !isWhole { result.withdrawBody(Body.tooLong("response")) }
    // The receiver is the client of the mock.
    result.findings = result.findings.map { $0.owned(by: .client) }
    if 300...399 ~= head.status.code {
      let location = head.headerFields[.location].map { " to `\(VisibleText.shortened($0, to: 100))`" } ?? ""
      let finding = Diagnostic(
        .callbackRedirect, "the receiver of `\(order.operation.name)` redirects\(location), which is not followed",
        help: "give the address of the receiver itself")
      result.findings += [finding].compactMap(operation.options.weighed)
    }
    return result
  }
}
