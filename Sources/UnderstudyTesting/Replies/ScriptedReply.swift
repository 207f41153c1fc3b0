public import HTTPTypes
public import UnderstudyMock

/// An answer as data: a status, a meaning, a fixture or a body, perhaps late or broken.
///
/// A number stands for a status, a text for a status, a meaning or a fixture: `401`, `"penaltyFirst"`, `"200.empty"`.
public struct ScriptedReply: Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  enum Answer: Sendable {
    case usual
    case cell(String)
    case inline(status: Int, headers: [(name: String, value: String)], body: [UInt8])
    case stream(EventStreamScript, status: Int)
  }

  var answer: Answer
  var delay: Duration?
  var fault: Fault?
  var repetitions: Int?
  /// Why a fault cannot be read.
  private var faultProblem: String?

  init(_ answer: Answer, fault: Fault? = nil) {
    self.answer = answer
    self.fault = fault
  }

  /// A documented status.
  public init(integerLiteral status: Int) { self.init(.cell(String(status))) }

  /// A status, a meaning or a fixture.
  public init(stringLiteral cell: String) { self.init(.cell(cell)) }

  /// The mock's own answer.
  public static var usual: Self { Self(.usual) }

  /// A documented status.
  public static func status(_ code: Int) -> Self { Self(.cell(String(code))) }

  /// The status of a meaning: `.meaning("penaltyFirst")`.
  public static func meaning(_ name: String) -> Self { Self(.cell(name)) }

  /// A fixture or an example: `.fixture("200.empty")`.
  public static func fixture(_ name: String) -> Self { Self(.cell(name)) }

  package static func cell(_ name: String) -> Self { Self(.cell(name)) }

  /// A JSON body.
  public static func json(_ text: String, status: Int = 200) -> Self {
    .response(status, headers: ["Content-Type": "application/json"], body: text)
  }

  /// A text body.
  public static func text(_ text: String, status: Int = 200) -> Self {
    .response(status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: text)
  }

  /// Any response, also one that the contract does not document.
  ///
  /// - Parameters:
  ///   - status: 200 to 599.
  ///   - headers: Values by names; `Content-Length` and `Date` are added.
  ///   - body: The body as text.
  public static func response(_ status: Int, headers: [String: String] = [:], body: String = "") -> Self {
    .response(status, headers: headers, body: body.utf8)
  }

  /// Any response with bytes as its body, such as `Data`.
  public static func response(
    _ status: Int, headers: [String: String] = [:], body: some Sequence<UInt8>
  ) -> Self {
    let sorted = headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    return Self(.inline(status: status, headers: sorted, body: Array(body)))
  }

  /// Any response with fields that may repeat a name.
  public static func response(
    _ status: Int, headers: HTTPFields, body: some Sequence<UInt8> = EmptyCollection<UInt8>()
  ) -> Self {
    let fields = headers.map { (name: $0.name.rawName, value: $0.value) }
    return Self(.inline(status: status, headers: fields, body: Array(body)))
  }

  /// A stream of events, as server-sent events or as lines of JSON, as the contract declares it:
  /// `.events("Hel", .pause(.milliseconds(20)), "lo", .event("done", true))`.
  ///
  /// The response ends after the last one, unless that is `.stall`, `.cut` or `.drop`.
  public static func events(_ events: StreamEvent..., status: Int = 200) -> Self {
    Self(.stream(EventStreamScript(events.map(\.step)), status: status))
  }

  /// No answer; the connection stays open until the test ends or the client leaves.
  public static var hang: Self { Self(.usual, fault: .hang) }
  /// The connection is reset (TCP RST).
  public static var reset: Self { Self(.usual, fault: .reset) }
  /// The connection is closed without a byte.
  public static var close: Self { Self(.usual, fault: .close) }
  /// The mock's own answer with a fault, as `serve --fault` takes it: `.fault("reset:body")`.
  public static func fault(_ text: String) -> Self { Self.usual.with(fault: text) }
  /// The mock's own answer with a fault: `.fault(.reset(at: .body))`.
  public static func fault(_ fault: Fault) -> Self { Self.usual.with(fault: fault) }
  /// The mock's own answer after a time.
  public static func delayed(_ delay: Duration) -> Self { Self.usual.delayed(delay) }

  /// The same after a time.
  public func delayed(_ delay: Duration) -> Self { changed { $0.delay = delay } }
  /// The same with a fault: `.status(200).with(fault: "bandwidth:10k")`; faults that do not exclude each other add up.
  public func with(fault text: String) -> Self {
    do throws(TextProblem) {
      guard let outcome = try FaultReader.read(text).fixed else {
        return changed { $0.faultProblem = "`\(text)` depends on chance or on other requests: leave the condition out" }
      }
      let reply = outcome.fault.map { with(fault: $0) } ?? self
      return outcome.delay.map { reply.delayed($0) } ?? reply
    } catch {
      let help = error.help.map { "\n  help: \($0)" } ?? ""
      return changed { $0.faultProblem = error.message + help }
    }
  }
  /// The same with a fault: `.status(200).with(fault: .bandwidth(10_000))`.
  public func with(fault: Fault) -> Self { changed { $0.fault = $0.fault?.and(fault) ?? fault } }
  /// The same for a number of requests, before the next reply's turn.
  public func times(_ count: Int) -> Self { changed { $0.repetitions = count } }

  private func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ScriptedReply {
  /// Why an operation cannot answer so.
  func problem(in operation: MockOperation) -> String? {
    if let repetitions, repetitions < 1 { return "`.times(\(repetitions))` is never: expected at least 1" }
    if let faultProblem { return faultProblem }
    switch answer {
    case .usual: return nil
    case .inline(let status, let headers, _):
      if let field = headers.first(where: { HTTPField.Name($0.name) == nil }) {
        return "`\(field.name)` is not a valid name of a header field"
      }
      return Self.problem(ofStatus: status)
    case .stream(_, let status): return Self.problem(ofStatus: status)
    case .cell(let name):
      guard case .failure(let problem) = operation.forcing(named: name) else { return nil }
      let isStatus = Int(name).map { 200...599 ~= $0 } ?? false
      let hasNames = operation.cells.contains { !$0.names.isEmpty }
      return "\(problem.message)\n  help: \(problem.help)"
        + (hasNames || !name.contains(".") ? "" : "; the trait takes their folder as `fixtures: \"fixtures\"`")
        + (isStatus ? "; `.response(\(name))` sends a status that the contract does not document" : "")
    }
  }

  private static func problem(ofStatus status: Int) -> String? {
    200...599 ~= status ? nil : "\(status) is not a status of an answer: expected 200 to 599"
  }

  /// The override of an operation that has this answer.
  func override(in operation: MockOperation) -> ReplyOverride {
    let answer: ReplyOverride.Answer
    switch self.answer {
    case .usual: answer = .usual
    case .cell(let name): answer = (try? operation.forcing(named: name).get()).map { .cell($0) } ?? .usual
    case .inline(let status, let headers, let body):
      let description = "reply \(operation.id)/\(status) of the test"
      answer = .response(
        HTTPResponse(code: status, headers, source: ReplySource(.written(description))), body: body,
        description: description)
    case .stream(let script, let status):
      answer = .stream(script, status: status, description: "stream \(operation.id)/\(status) of the test")
    }
    return ReplyOverride(answer, delay: delay, fault: fault)
  }

  /// The reply as the list of a test's arguments shows it: `401`, `hang`.
  public var description: String { label }

  /// For messages: `401`, `hang`.
  var label: String {
    let name: String? =
      switch answer {
      case .usual: nil
      case .cell(let name): name
      case .inline(let status, _, _): "an inline \(status)"
      case .stream(let script, let status): "a stream of \(script.steps.count) with \(status)"
      }
    let parts = [name, fault?.description, delay.map { "after \($0)" }].compactMap(\.self)
    return parts.isEmpty ? "usual" : parts.joined(separator: " ")
  }
}
