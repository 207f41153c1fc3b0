import UnderstudySockets

/// A fault of an operation, a cell or everything, as `--fault`, `--delay` and `--network` name it: `readChat/401=reset@20%`.
package struct FaultRule: Sendable, Hashable {
  /// An operation as `CompiledOperation.isNamed(_:)` takes it, perhaps with `/` and an answer; `everything`.
  package let target: String
  package let plan: FaultPlan
  /// The option that has it: `delay`, `fault` or `network`.
  package let option: String
  /// The location in a configuration file; `nil` for an option.
  package var location: Location?

  /// The target of requests to any path, even one that no contract has.
  package static let everything = "everything"

  package init(target: String, plan: FaultPlan, option: String, location: Location? = nil) {
    (self.target, self.plan, self.option, self.location) = (target, plan, option, location)
  }

  /// Reads `readChat=2s`.
  package static func delay(_ text: String) throws(TextProblem) -> FaultRule {
    let (target, value) = try split(text, "operation=duration, as in readChat=2s or '*=250ms'")
    if let number = Double(value), number > 0 {
      throw TextProblem(
        .syntax, "`\(value)` has no unit", at: text.offsets(of: value), help: "expected \(value)ms or \(value)s")
    }
    let latency = try LatencyReader(text: text).read(value)
    return FaultRule(target: target, plan: FaultPlan(latency: latency, text: String(value)), option: "delay")
  }

  /// Reads `readChat=reset@20%`.
  package static func fault(_ text: String) throws(TextProblem) -> FaultRule {
    let (target, value) = try split(text, "operation=fault, as in readChat=reset")
    do throws(TextProblem) {
      return FaultRule(target: target, plan: try FaultReader.read(String(value)), option: "fault")
    } catch {
      var problem = error
      if (try? SocketFault(String(value), of: "EVENT")) != nil, target != "*", target != Self.everything {
        let target = target.hasPrefix("\(SocketFault.target)/") ? target : "\(SocketFault.target)/\(target)"
        problem.help =
          "it is a fault of sockets: `\(SocketFault.target)=\(value)`, or `\(target)=\(value)` for one event"
      }
      let offset = text.offsets(of: value).lowerBound
      problem.range = problem.range.lowerBound + offset..<problem.range.upperBound + offset
      throw problem
    }
  }

  private static func split(_ text: String, _ expected: String) throws(TextProblem) -> (String, Substring) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex, text.index(after: sign) < text.endIndex else {
      throw TextProblem(.syntax, "`\(text)` is incomplete", at: 0..<text.utf8.count, help: "expected \(expected)")
    }
    return (String(text[..<sign]), text[text.index(after: sign)...])
  }

  /// The finding about a rule that applies to nothing.
  func unused(by operations: [MockOperation], _ sockets: MockSockets?) -> Diagnostic? {
    guard target != "*", target != Self.everything, !operations.contains(where: { FaultScope(self, of: $0) != nil })
    else { return nil }
    let source = location == nil ? "--\(option)" : "`\(option)`"
    if let slash = target.lastIndex(of: "/") {
      let name = String(target[..<slash])
      let cell = String(target[target.index(after: slash)...])
      let named = operations.filter { $0.compiled.isNamed(name) }
      if name == "*" || !named.isEmpty {
        return Diagnostic(
          .configInvalid, "\(source) names the answer `\(cell)`, which `\(name)` does not have", at: location,
          help: Suggestion.phrase(
            for: cell, among: named.flatMap { $0.cells.compactMap(\.meaning) + $0.cells.flatMap(\.names) })
            ?? "expected a status, a meaning or a fixture; `understudy routes` lists them")
      }
    }
    return Diagnostic(
      .configInvalid, "\(source) names the operation `\(target)`, which no contract has", at: location,
      help: Suggestion.phrase(for: target, among: operations.map(\.id)) ?? socketSpelling(sockets)
        ?? "`understudy routes` lists them")
  }

  /// The spelling of a socket fault, if the target names sockets or one of their events.
  private func socketSpelling(_ sockets: MockSockets?) -> String? {
    if target == SocketFault.target || target.hasPrefix(SocketFault.target + "/") {
      let fault = "late:\(plan.text)"
      return location == nil
        ? "sockets take a fault instead: `\(target)=\(fault)`" : "did you mean `\(target): \(fault)` in `faults`?"
    }
    let events = sockets?.sentEvents ?? []
    let event = events.first { $0.utf8Equals(target) } ?? Suggestion.nearest(to: target, among: events)
    return event.map { "did you mean `\(SocketFault.target)/\($0)`, for an event of sockets?" }
  }
}
