/// The preferences of a client by `Prefer: code=404, example=gone` (RFC 7240), other header fields or the query.
package struct Preferences: Sendable, Equatable {
  package var status: StatusPreference?
  package var example: String?
  package var isDynamic: Bool?
  package var seed: String?
  /// How long to wait before the answer, at most `delayLimit`.
  package var delay: Duration?
  /// A delay and a fault without conditions.
  package var fault: FaultPlan.Outcome?
  /// Invalid preferences; the others still count.
  package var problems: [Problem] = []
  /// Where the client asked for the status: `/header/Prefer`, `/header/x-mock-response-code`, `/query/__code`.
  package var statusPlace: String?
  package var examplePlace: String?

  package struct Problem: Sendable, Equatable {
    package var message: String
    package var help: String
    /// The place in the request, as of a finding.
    package var place: String
  }

  /// The longest delay that a client can ask for, so that clients cannot keep connections for hours.
  package static let delayLimit: Duration = .seconds(60)

  package static let queryNames: Set<String> = Set(Key.query.keys)

  /// Advice for an undeclared query parameter that looks like a preference; `nil` for other names.
  package static func help(forParameter name: String) -> String? {
    guard name.hasPrefix("__") else { return nil }
    return Suggestion.phrase(for: name, among: queryNames.sorted())
      ?? "the mock knows \(queryNames.sorted().map { "`\($0)`" }.joined(separator: ", "))"
  }

  package enum StatusPreference: Sendable, Equatable {
    /// 100 to 599
    case code(Int)
    /// The meaning of a response, or a key that is not a code: `4XX`, `default`.
    case named(String)
  }

  /// Reads the first source with a preference: `Prefer`; `x-mock-response-code` and `x-mock-response-name`; `__code`,
  /// `__example`, `__dynamic`, `__seed`, `__delay` and `__fault` in the query.
  package init(_ fields: HTTPFields, query: Query = Query()) {
    let mayPrefer = fields.contains { field in
      guard let first = field.name.rawName.utf8.first.map(FieldSyntax.lowercased) else { return false }
      return first == UInt8(ascii: "p") || first == UInt8(ascii: "x")
    }
    if mayPrefer { read(fields) }
    if !isEmpty { return }
    for pair in query.pairs {
      // Most names cannot be preferences.
      guard let first = query.bytes[pair.name].first, first == UInt8(ascii: "_") || first == UInt8(ascii: "%"),
        let name = query.name(of: pair)
      else { continue }
      if let key = Key.query[name] {
        set(key, pair.hasEquals ? query.value(of: pair) : nil, from: name, at: "/query/\(name)")
      } else if name.hasPrefix("__") {
        reportIfSimilar(name, among: Key.query.keys, at: "/query/\(name)")
      }
    }
  }

  private mutating func read(_ fields: HTTPFields) {
    for line in fields.lines(named: "prefer") {
      // Our preferences have no parameters, so the semicolon of `code=404; example=gone` is read as a comma.
      for part in FieldSyntax.split(line.utf8, at: UInt8(ascii: ",")) {
        for item in FieldSyntax.split(part, at: UInt8(ascii: ";")) {
          let (name, value) = FieldSyntax.parameter(item)
          if let key = Key.prefer[name] {
            set(key, value, from: "Prefer: \(name)", at: "/header/Prefer")
          } else {
            reportIfSimilar(name, among: Key.prefer.keys, at: "/header/Prefer")
          }
        }
      }
    }
    if !isEmpty { return }
    for (name, key) in Key.fields {
      for line in fields.lines(named: name) { set(key, line, from: name, at: "/header/\(name)") }
    }
  }

  /// Unknown preferences are ignored (RFC 7240, section 2), except those that resemble a known one.
  private mutating func reportIfSimilar(_ name: String, among known: some Collection<String>, at place: String) {
    guard let help = Suggestion.phrase(for: name, among: known.sorted()) else { return }
    problems.append(Problem(message: "unknown preference `\(name)`", help: help, place: place))
  }

  private var isEmpty: Bool {
    status == nil && example == nil && isDynamic == nil && seed == nil && delay == nil && fault == nil
      && problems.isEmpty
  }

  private enum Key {
    case code, example, dynamic, seed, delay, fault

    static let prefer = [
      "code": code, "statuscode": code, "example": example, "dynamic": dynamic, "seed": seed, "delay": delay,
      "fault": fault,
    ]
    static let fields = [("x-mock-response-code", code), ("x-mock-response-name", example)]
    static let query = [
      "__code": code, "__example": example, "__dynamic": dynamic, "__seed": seed, "__delay": delay,
      "__fault": fault,
    ]
  }

  /// The first value of a preference counts (RFC 7240, section 2).
  private mutating func set(_ key: Key, _ value: String?, from source: String, at place: String) {
    func problem(_ message: String, _ help: String) {
      problems.append(Problem(message: message, help: help, place: place))
    }
    switch key {
    case .code where status == nil:
      status = Self.statusPreference(value ?? "")
      statusPlace = place
      guard status == nil else { return }
      problem(
        value.map { $0.isEmpty } ?? true ? "`\(source)` has no value" : "`\(source)=\(value ?? "")` is not a status",
        "expected three digits from 100 to 599, or the meaning of a response")
    case .example where example == nil:
      examplePlace = place
      if let value, !value.isEmpty {
        example = value
      } else {
        problem("`\(source)` has no value", "expected the name of a fixture or example, as in `\(source)=empty`")
      }
    case .dynamic where isDynamic == nil:
      switch value {
      case nil, "true": isDynamic = true
      case "false": isDynamic = false
      case let value?: problem("`\(source)=\(value)` is neither true nor false", "expected `true` or `false`")
      }
    case .seed where seed == nil:
      if let value, !value.isEmpty {
        seed = value
      } else {
        problem("`\(source)` has no value", "expected any text: the same seed gives the same sample")
      }
    case .delay where delay == nil:
      if let duration = value.flatMap({ Duration(text: $0) }), duration <= Self.delayLimit {
        delay = duration
      } else {
        problem(
          value.map { $0.isEmpty } ?? true ? "`\(source)` has no value" : "`\(source)=\(value ?? "")` is not a delay",
          "expected a duration such as `250ms` or `2s`, at most 60 s")
      }
    case .fault where fault == nil:
      do throws(TextProblem) {
        let plan = try FaultReader.read(value ?? "")
        fault = plan.fixed
        if fault?.delay.map({ $0 > Self.delayLimit }) == true {
          problem("`\(source)=\(plan.text)` waits too long", "expected a delay of at most 60 s")
        } else if fault == nil {
          problem(
            "`\(source)=\(plan.text)` depends on chance or on other requests",
            "leave the condition out, or give the fault to the mock: `--fault`")
        }
      } catch {
        let isMissing = value?.isEmpty ?? true
        problem(
          isMissing ? "`\(source)` has no value" : error.message,
          isMissing ? "expected a fault such as `reset`" : error.help ?? "")
      }
    default: break
    }
  }

  /// `nil` for text that is neither a code nor a name.
  private static func statusPreference(_ value: String) -> StatusPreference? {
    let text = value.utf8
    guard let first = text.first else { return nil }
    if let status = Response.Status(value), case .code(let code) = status { return .code(code) }
    if 48...57 ~= first, !(text.count == 3 && text.dropFirst().elementsEqual("XX".utf8)) { return nil }
    return .named(value)
  }
}
