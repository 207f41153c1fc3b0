public import Foundation

/// An answer as data: a status, a meaning, a fixture or a body, perhaps late or broken.
///
/// A number stands for a status, a text for a status, a meaning or a fixture: `401`, `"penaltyFirst"`, `"200.empty"`.
public struct ScriptedReply: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  private enum Answer: Sendable, Hashable {
    case usual
    case status(JSONValue)
    case meaning(String)
    case fixture(String)
    case response(status: Int, member: String, body: JSONValue)
    case stream(status: Int, [StreamEvent])
  }

  private var answer: Answer
  private var headers: [String: [String]] = [:]
  private var delay: Duration?
  private var fault: Fault?
  private var repetitions: Int?
  private var isTemplate = false

  private init(_ answer: Answer) { self.answer = answer }

  /// A documented status.
  public init(integerLiteral status: Int) { self = .status(status) }

  /// A status, a meaning or a fixture.
  public init(stringLiteral cell: String) { self = .cell(cell) }

  /// A status, a meaning or a fixture by its name: `401`, `4XX`, `penaltyFirst`, `200.empty`.
  static func cell(_ name: String) -> Self {
    if let code = Int(name) { return .status(code) }
    let isRange = name.count == 3 && name.hasSuffix("XX")
    if name == "default" || isRange { return Self(.status(.string(name))) }
    return name.contains(".") ? .fixture(name) : .meaning(name)
  }

  /// The mock's own answer.
  public static var usual: Self { Self(.usual) }

  /// A documented status.
  public static func status(_ code: Int) -> Self { Self(.status(.int(code))) }

  /// The status of a meaning: `.meaning("penaltyFirst")`.
  public static func meaning(_ name: String) -> Self { Self(.meaning(name)) }

  /// A fixture or an example: `.fixture("200.empty")`.
  public static func fixture(_ name: String) -> Self { Self(.fixture(name)) }

  /// A JSON body as text, which is sent as it is.
  public static func json(_ text: String, status: Int = 200) -> Self {
    .response(status, headers: ["Content-Type": "application/json"], body: text)
  }

  /// A JSON body: `.json(["nick": "Ann"])`.
  public static func json(_ value: JSONValue, status: Int = 200) -> Self {
    Self(.response(status: status, member: "json", body: value))
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
    Self(.response(status: status, member: "text", body: .string(body))).with(headers)
  }

  /// Any response with bytes as its body.
  public static func response(_ status: Int, headers: [String: String] = [:], body: Data) -> Self {
    Self(.response(status: status, member: "base64", body: .string(body.base64EncodedString()))).with(headers)
  }

  /// A stream of events, as server-sent events or as lines of JSON, as the contract declares it:
  /// `.events("Hel", .pause(.milliseconds(20)), "lo", .event("done", true))`.
  ///
  /// The stream ends after the last event, unless that is `.stall`, `.cut` or `.drop`.
  public static func events(_ events: StreamEvent..., status: Int = 200) -> Self {
    Self(.stream(status: status, events))
  }

  /// A stream of events in a list.
  public static func events(_ events: [StreamEvent], status: Int = 200) -> Self {
    Self(.stream(status: status, events))
  }

  private func with(_ headers: [String: String]) -> Self { changed { $0.headers = headers.mapValues { [$0] } } }

  /// No answer; the connection stays open until the client leaves.
  public static var hang: Self { .fault(.hang) }
  /// The connection is reset (TCP RST).
  public static var reset: Self { .fault(.reset) }
  /// The connection is closed without a byte.
  public static var close: Self { .fault(.close) }
  /// The mock's own answer with a fault: `.fault("reset:body")`.
  public static func fault(_ fault: Fault) -> Self { Self.usual.with(fault: fault) }
  /// The mock's own answer after a time.
  public static func delayed(_ delay: Duration) -> Self { Self.usual.delayed(delay) }

  /// The same after a time.
  public func delayed(_ delay: Duration) -> Self { changed { $0.delay = delay } }
  /// The same with a fault: `.status(200).with(fault: "bandwidth:10k")`; faults that do not exclude each other add up.
  public func with(fault: Fault) -> Self { changed { $0.fault = $0.fault?.and(fault) ?? fault } }
  /// The same for a number of requests, before the next reply's turn.
  public func times(_ count: Int) -> Self { changed { $0.repetitions = count } }
  /// The same with one more header field, for a response of its own; a name may be repeated.
  public func header(_ name: String, _ value: String) -> Self {
    changed { $0.headers[name, default: []].append(value) }
  }

  /// A template, whose body and header fields are filled for each request:
  /// `.json(#"{"id": "{{request.path.id}}"}"#).asTemplate()`.
  public func asTemplate() -> Self { changed { $0.isTemplate = true } }

  private func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// The members of a reply of the admin API.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    switch answer {
    case .usual: break
    case .status(let status): members["status"] = status
    case .meaning(let name): members["meaning"] = .string(name)
    case .fixture(let name): members["fixture"] = .string(name)
    case .response(let status, let member, let body):
      members["status"] = .int(status)
      members[member] = body
    case .stream(let status, let events):
      members["status"] = .int(status)
      members["events"] = .array(events.map(\.json))
    }
    if !headers.isEmpty {
      members["headers"] = .object(
        headers.mapValues { $0.count == 1 ? .string($0[0]) : .array($0) })
    }
    if let delay, delay != .zero { members["delay"] = .string(delay.text) }
    if let fault { members["fault"] = .string(fault.description) }
    if isTemplate { members["template"] = true }
    if let repetitions { members["times"] = .int(repetitions) }
    return members
  }

  /// As the list of a test's arguments shows it: `401`, `hang`.
  public var description: String {
    let name: String? =
      switch answer {
      case .usual: nil
      case .status(let status): status.plainText
      case .meaning(let name), .fixture(let name): name
      case .response(let status, _, _): "an inline \(status)"
      case .stream(let status, _): "a stream with \(status)"
      }
    let parts = [name, fault?.description, delay.map { "after \($0.text)" }].compactMap { $0 }
    return parts.isEmpty ? "usual" : parts.joined(separator: " ")
  }
}
