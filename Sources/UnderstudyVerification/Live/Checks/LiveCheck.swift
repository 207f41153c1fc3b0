/// A check of a live run; its name is that of the case in the report.
enum LiveCheck: Hashable, Sendable {
  /// For every answer of a cell.
  case status, headers, body, http
  /// For an operation.
  case rule(Rule)

  var name: String {
    switch self {
    case .status: "resp.status"
    case .headers: "resp.header"
    case .body: "resp.body"
    case .http: "resp.http"
    case .rule(let rule): rule.id
    }
  }

  init(of rule: Rule) {
    let id = rule.id
    self =
      if !id.hasPrefix("resp.") {
        .rule(rule)
      } else if rule == .responseStatusUndocumented {
        .status
      } else if id.hasPrefix("resp.header") {
        .headers
      } else if ["resp.body", "resp.content-type", "resp.encoding", "resp.discriminator", "resp.format"].contains(
        where: id.hasPrefix)
      {
        .body
      } else {
        .http
      }
  }
}

/// A case about one operation: those of the operation itself sort first, then those of each status.
struct LiveCell: Hashable, Comparable, Sendable {
  let check: LiveCheck
  /// `nil` for a check of the operation itself.
  let status: String?

  init(_ check: LiveCheck, of subject: Report.Subject) {
    self.check = check
    if case .rule = check { status = nil } else { status = subject.status }
  }

  private var rank: String {
    if case .rule(let rule) = check { return "4" + rule.id }
    return String([LiveCheck.status, .headers, .body, .http].firstIndex(of: check) ?? 0)
  }

  static func < (a: Self, b: Self) -> Bool { (a.status ?? "", a.rank) < (b.status ?? "", b.rank) }
}

/// The result of one exchange, or of several together.
struct LiveValidation: Sendable {
  let subject: Report.Subject
  var findings: [Diagnostic] = []
  private(set) var checks: [(check: LiveCheck, count: Int)] = []
  var notValidated: [String] = []
  /// Whether both sides were validated, bodies too, and are valid. An invalid request that was refused as documented counts.
  var holds = false

  init(about subject: Report.Subject) { self.subject = subject }

  /// A check of an operation that ran once.
  init(_ rule: Rule, about subject: Report.Subject) {
    self.init(about: subject)
    count(.rule(rule), 1)
  }

  mutating func count(_ check: LiveCheck, _ count: Int) {
    if count > 0 { checks.append((check, count)) }
  }

  /// Adds a finding with the line of the contract that the server breaks.
  mutating func report(
    _ rule: Rule, _ message: String, at pointer: String = "/status", contract: JSON, severity: Severity? = nil,
    help: String? = nil
  ) {
    findings.append(
      Diagnostic(
        rule, message, at: Location(exchange: pointer), severity: severity, notes: .contract(contract), help: help))
  }
}
