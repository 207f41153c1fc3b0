/// What was looked at, under the name that a case has.
enum LiveCheck: Hashable, Sendable {
  /// Of every answer of a cell.
  case status, headers, body, http
  /// Of an operation.
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

  /// The check that reports under a rule.
  init(of rule: Rule) {
    let id = rule.id
    self =
      if !id.hasPrefix("resp.") {
        .rule(rule)
      } else if rule == .responseStatusUndocumented {
        .status
      } else if id.hasPrefix("resp.header") {
        .headers
      } else if ["resp.body", "resp.content-type", "resp.encoding", "resp.discriminator"].contains(where: id.hasPrefix)
      {
        .body
      } else {
        .http
      }
  }
}

/// A case about one operation: those of the operation itself come first, then those of each status.
struct LiveCell: Hashable, Comparable, Sendable {
  let check: LiveCheck
  /// `nil` for a check of the operation itself.
  let status: String?

  init(_ check: LiveCheck, of subject: Report.Subject) {
    self.check = check
    if case .rule = check { status = nil } else { status = subject.status }
  }

  private var rank: String {
    switch check {
    case .status: "0"
    case .headers: "1"
    case .body: "2"
    case .http: "3"
    case .rule(let rule): "4" + rule.id
    }
  }

  static func < (a: Self, b: Self) -> Bool { (a.status ?? "", a.rank) < (b.status ?? "", b.rank) }
}

/// What an exchange shows, or several together.
struct LiveValidation: Sendable {
  /// The operation and the status of the answer.
  let subject: Report.Subject
  var findings: [Diagnostic] = []
  /// How much was compared.
  private(set) var checks: [(check: LiveCheck, count: Int)] = []
  /// Why something was not validated.
  var notValidated: [String] = []
  /// Whether both sides were held against the contract, bodies too, and kept it. A bad request that was refused as documented
  /// is such an exchange.
  var holds = false

  init(about subject: Report.Subject) { self.subject = subject }

  /// A check of an operation that was made once.
  init(_ rule: Rule, about subject: Report.Subject) {
    self.init(about: subject)
    count(.rule(rule), 1)
  }

  mutating func count(_ check: LiveCheck, _ count: Int) {
    if count > 0 { checks.append((check, count)) }
  }
}

extension [Diagnostic.Note] {
  /// The line of the contract that a server breaks.
  static func contract(_ node: JSON) -> Self {
    node.range == nil ? [] : [Diagnostic.Note("the contract", at: Location(start: node))]
  }
}
