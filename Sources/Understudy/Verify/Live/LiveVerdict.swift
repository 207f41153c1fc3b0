import SourceText

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

  /// The check of answers that a rule belongs to.
  init(of rule: Rule) {
    let id = rule.id
    self =
      if rule == .responseStatusUndocumented {
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

/// Something wrong in one exchange.
struct LiveComplaint: Sendable {
  var check: LiveCheck
  var diagnostic: Diagnostic
  /// The documented status of the answer, or its own.
  var status: String

  init(_ check: LiveCheck, _ diagnostic: Diagnostic, status: String) {
    self.check = check
    self.diagnostic = diagnostic
    self.status = status
  }

  /// What makes two complaints one: the rule, the line of the contract that is broken, the status.
  var key: Key { Key(rule: diagnostic.rule, place: Fingerprint.place(of: diagnostic), status: status) }

  struct Key: Hashable, Sendable {
    var rule: Rule
    var place: String
    var status: String
  }
}

/// What one exchange showed.
struct LiveVerdict: Sendable {
  var complaints: [LiveComplaint] = []
  /// How much was compared, by check and status; no status for what is about an operation.
  private(set) var checked: [(check: LiveCheck, status: String?, count: Int)] = []
  var notJudged: [String] = []
  /// Whether both sides were held against the contract, bodies too, and kept it. A bad request that was refused as documented
  /// is such an exchange.
  var holds = false

  mutating func count(_ check: LiveCheck, _ status: String?, _ count: Int) {
    if count > 0 { checked.append((check, status, count)) }
  }
}
