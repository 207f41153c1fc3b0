import UnderstudySockets

/// Reads `delay:200ms+reset:head@20%`: faults, joined by `+`, then conditions, each after an `@`.
package struct FaultReader {
  private let text: String

  /// The plan of a text, or the problem with its place in the text.
  package static func read(_ text: String) throws(TextProblem) -> FaultPlan { try FaultReader(text: text).plan() }

  private func plan() throws(TextProblem) -> FaultPlan {
    let sections = text.split(separator: "@", omittingEmptySubsequences: false)
    var plan = FaultPlan(text: text)
    for part in (sections.first ?? "").split(separator: "+", omittingEmptySubsequences: false) {
      try add(part, to: &plan)
    }
    for condition in sections.dropFirst() {
      plan.conditions.append(try FaultConditionReader(text: text).read(condition))
    }
    return plan
  }

  private func add(_ part: Substring, to plan: inout FaultPlan) throws(TextProblem) {
    let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = pieces.count > 1 ? pieces[1] : nil
    guard let name = pieces.first, let kind = FaultKind(rawValue: String(name)) else {
      let known = FaultKind.allCases.map(\.rawValue)
      let isOfSockets = (try? SocketFault(text, of: "EVENT")) != nil
      throw problem(
        "`\(pieces.first ?? "")` is not a fault", at: pieces.first ?? part,
        isOfSockets
          ? "it is a fault of sockets: `sockets=\(text)`, or `sockets/EVENT=\(text)` for one event"
          : Suggestion.help(for: String(pieces.first ?? ""), among: known))
    }
    if kind == .delay {
      guard plan.latency == nil else { throw problem("there is a delay already", at: part, "keep one of them") }
      plan.latency = try LatencyReader(text: text).read(value ?? part[part.endIndex...])
      return
    }
    guard let fault = Self.fault(kind, value) else {
      throw problem(
        "`\(part)` is not a form of the fault `\(kind.rawValue)`", at: part,
        value.flatMap { Suggestion.phrase(for: String($0), among: Fault.Moment.allCases.map(\.rawValue)) }
          ?? "expected \(kind.form)")
    }
    let both = plan.fault.map { ($0.damage != nil && fault.damage != nil) || ($0.pace != nil && fault.pace != nil) }
    if both == true, let first = plan.fault {
      throw problem("`\(part)` and `\(first)` exclude each other", at: part, "keep one of them")
    }
    plan.fault = plan.fault?.and(fault) ?? fault
  }

  private static func fault(_ kind: FaultKind, _ value: Substring?) -> Fault? {
    switch kind {
    case .close: moment(value).map(Fault.close(at:))
    case .reset: moment(value).map(Fault.reset(at:))
    case .hang: moment(value).map(Fault.hang(at:))
    case .wrongLength:
      (value == nil ? 1 : value.flatMap { Int($0) }).flatMap { $0 == 0 ? nil : .wrongLength(by: $0) }
    case .bandwidth: value.flatMap(rate).map(Fault.bandwidth)
    case .drip: value == nil ? .drip : time(value).map(Fault.drip(over:))
    case .stall: time(value).map(Fault.stall)
    case .truncate: value == nil ? .truncate : nil
    case .garbage: value == nil ? .garbage : nil
    case .malformedChunk: value == nil ? .malformedChunk : nil
    case .html: value == nil ? .html : nil
    case .invalidUTF8: value == nil ? .invalidUTF8 : nil
    case .duplicateHeaders: value == nil ? .duplicateHeaders : nil
    case .conflictingHeaders: value == nil ? .conflictingHeaders : nil
    case .delay: nil
    }
  }

  private static func moment(_ value: Substring?) -> Fault.Moment? {
    value.map { Fault.Moment(rawValue: String($0)) } ?? .start
  }

  private static func time(_ value: Substring?) -> Duration? {
    value.flatMap { Duration(text: String($0)) }.flatMap { $0 > .zero ? $0 : nil }
  }

  /// `500`, `64k`, `1M`: bytes a second.
  private static func rate(_ value: Substring) -> Int? {
    let digits = value.prefix { $0.isASCII && $0.isNumber }
    let factor = ["": 1, "k": 1000, "K": 1000, "M": 1_000_000][value.dropFirst(digits.count)]
    guard let factor, let number = Int(digits), 1...1_000_000_000 ~= number else { return nil }
    return number * factor
  }

  private func problem(_ message: String, at part: Substring, _ help: String) -> TextProblem {
    TextProblem(.syntax, message, at: text.offsets(of: part), help: help)
  }
}

extension String {
  /// The place of a part, in bytes of UTF-8.
  package func offsets(of part: Substring) -> Range<Int> {
    utf8.distance(from: utf8.startIndex, to: part.startIndex)..<utf8.distance(from: utf8.startIndex, to: part.endIndex)
  }
}
