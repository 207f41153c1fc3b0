/// Numbers in the text format of Prometheus (its exposition format, version 0.0.4).
package struct MetricsText {
  package private(set) var text = ""

  package init() {}

  /// Begins a metric.
  ///
  /// - Parameter kind: `counter`, `gauge` or `histogram`.
  package mutating func metric(_ name: String, _ kind: String, _ help: String) {
    text += "# HELP understudy_\(name) \(help)\n# TYPE understudy_\(name) \(kind)\n"
  }

  package mutating func sample(_ name: String, _ labels: [(name: String, value: String)] = [], _ value: String) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "understudy_\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }

  /// A backslash, a quotation mark and a line feed are escaped in the value of a label.
  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  package mutating func add(_ totals: JournalTotals) {
    metric(
      "requests_total", "counter", "Answered requests, by operation and status; status 0 for those without an answer.")
    for (key, count) in totals.requests.sorted(by: {
      ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
    }) {
      sample("requests_total", [("operation", key.operation), ("status", "\(key.status)")], "\(count)")
    }
    metric("findings_total", "counter", "Findings about requests and answers, by rule.")
    for (rule, count) in totals.findings.sorted(by: { $0.key < $1.key }) {
      sample("findings_total", [("rule", rule)], "\(count)")
    }
    metric("request_duration_seconds", "histogram", "The time from the head of a request to its answer.")
    var sum = 0
    for (bound, count) in zip(JournalTotals.bounds, totals.durations) {
      sum += count
      sample("request_duration_seconds_bucket", [("le", Self.seconds(bound))], "\(sum)")
    }
    sample("request_duration_seconds_bucket", [("le", "+Inf")], "\(totals.exchanges)")
    sample("request_duration_seconds_sum", [], Self.seconds(totals.microseconds))
    sample("request_duration_seconds_count", [], "\(totals.exchanges)")
  }

  private static func seconds(_ microseconds: Int) -> String { "\(Double(microseconds) / 1_000_000)" }
}
