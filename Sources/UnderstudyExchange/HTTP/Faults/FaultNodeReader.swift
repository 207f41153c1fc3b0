/// Reads delays and faults of a YAML file: one text, or a list of texts.
package struct FaultNodeReader {
  private var findings: MappingReader

  /// - Parameter rule: The rule for delays and faults that cannot be read.
  package init(rule: Rule) { findings = MappingReader(rule) }

  package var diagnostics: [Diagnostic] { findings.all }

  /// The value of `delay`: `250ms`, `100ms..2s`, or a number of milliseconds.
  package mutating func delays(_ node: JSON?) -> [FaultPlan] {
    texts(node, "a delay such as `250ms` or `3s`").compactMap { node in
      read(node) { text throws(TextProblem) in FaultPlan(latency: try LatencyReader.read(text), text: text) }
    }
  }

  /// The value of `fault`: `reset@20%`, or `[delay:200ms, reset@20%]`.
  package mutating func faults(_ node: JSON?) -> [FaultPlan] {
    texts(node, "a fault such as `reset` or `reset@20%`").compactMap { node in
      read(node) { text throws(TextProblem) in try FaultReader.read(text) }
    }
  }

  private mutating func texts(_ node: JSON?, _ expected: String) -> [JSON] {
    guard let node else { return [] }
    let nodes = node.isArray ? Array(node.elements) : [node]
    return nodes.filter { node in
      node.isString || node.kind == .number ? true : findings.reject(expected: expected, node) ?? false
    }
  }

  private mutating func read(_ node: JSON, _ read: (String) throws(TextProblem) -> FaultPlan) -> FaultPlan? {
    do throws(TextProblem) {
      return try read(node.text)
    } catch {
      findings.add(
        Diagnostic(findings.invalid, error.message, at: Location(node, part: error.range), help: error.help))
      return nil
    }
  }
}
