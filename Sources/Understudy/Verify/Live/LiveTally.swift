import SourceText

/// What the exchanges of one operation showed, added up.
struct LiveTally: Sendable {
  /// A complaint with the smallest request that met it.
  struct Met: Sendable {
    var complaint: LiveComplaint
    var count: Int
    var call: LiveCall
    var reproduction: String?
  }

  private struct Cell: Hashable {
    var check: LiveCheck
    var status: String?
  }

  private(set) var met: [Met] = []
  /// How many exchanges were added.
  private(set) var exchanges = 0
  private(set) var notJudged: [Report.NotJudged] = []
  private var positions: [LiveComplaint.Key: Int] = [:]
  private var order: [Cell] = []
  private var checked: [Cell: (count: Int, duration: Duration)] = [:]

  /// Adds what one exchange showed.
  mutating func add(_ verdict: LiveVerdict, of call: LiveCall, duration: Duration) {
    exchanges += 1
    add(verdict, of: call, duration: duration, reproduction: nil)
  }

  /// Adds what several exchanges showed together.
  mutating func add(_ verdict: LiveVerdict, of call: LiveCall, reproduction: String?) {
    add(verdict, of: call, duration: .zero, reproduction: reproduction)
  }

  private mutating func add(_ verdict: LiveVerdict, of call: LiveCall, duration: Duration, reproduction: String?) {
    for (check, status, count) in verdict.checked {
      let cell = Cell(check: check, status: status)
      if checked[cell] == nil { order.append(cell) }
      let known = checked[cell] ?? (0, .zero)
      checked[cell] = (known.count + count, known.duration + (check == .status ? duration : .zero))
    }
    for reason in verdict.notJudged { skip(reason) }
    var told: Set<LiveComplaint.Key> = []
    for complaint in verdict.complaints {
      note(complaint)
      let key = complaint.key
      guard let position = positions[key] else {
        positions[key] = met.count
        told.insert(key)
        met.append(Met(complaint: complaint, count: 1, call: call, reproduction: reproduction))
        continue
      }
      // Twenty items of one body are one time.
      if told.insert(key).inserted { met[position].count += 1 }
      if reproduction == nil, call.wire.weight < met[position].call.wire.weight {
        met[position].call = call
        met[position].complaint = complaint
      }
    }
  }

  /// A complaint may lie where nothing was counted: an undeclared header, where the contract declares none.
  private mutating func note(_ complaint: LiveComplaint) {
    let (whole, cell) = (
      Cell(check: complaint.check, status: nil), Cell(check: complaint.check, status: complaint.status)
    )
    guard checked[whole] == nil, checked[cell] == nil else { return }
    order.append(cell)
    checked[cell] = (1, .zero)
  }

  mutating func skip(_ reason: String, count: Int = 1) {
    if let index = notJudged.firstIndex(where: { $0.reason.utf8.elementsEqual(reason.utf8) }) {
      notJudged[index].count += count
    } else {
      notJudged.append(Report.NotJudged(reason: reason, count: count))
    }
  }

  /// Takes back what is told elsewhere.
  mutating func removeAll(where isTold: (LiveComplaint.Key) -> Bool) {
    met.removeAll { isTold($0.complaint.key) }
    positions = [:]
    for (position, met) in met.enumerated() { positions[met.complaint.key] = position }
  }

  /// Takes the smaller request that was found for a complaint.
  mutating func reproduce(_ position: Int, _ complaint: LiveComplaint, _ call: LiveCall, _ text: String) {
    met[position].complaint = complaint
    met[position].call = call
    met[position].reproduction = text
  }

  /// How many of the complaints are errors.
  var errors: Int { met.count { $0.complaint.diagnostic.severity == .error } }

  /// One case a check: those of the operation first, then those of each status.
  func cases(_ subject: LiveOperation) -> [Report.Case] {
    let cells = order.sorted { a, b in
      // The order within is that in which things were first looked at, which the seed decides.
      (a.status ?? "", Self.rank(a.check)) < (b.status ?? "", Self.rank(b.check))
    }
    return cells.map { cell in
      let about = subject.subject(status: cell.status)
      let found = met.filter {
        $0.complaint.check == cell.check && (cell.status == nil || $0.complaint.status == cell.status)
      }
      let findings = found.map { met in
        let key = met.complaint.key
        var finding = Report.Finding(
          met.complaint.diagnostic, about: subject.subject(status: key.status), count: met.count,
          reproduction: met.reproduction)
        finding.fingerprint = Fingerprint.of(rule: key.rule.id, finding.subject, place: key.place)
        return finding
      }
      let known = checked[cell] ?? (0, .zero)
      return Report.Case(about, cell.check.name, checked: known.count, duration: known.duration, findings: findings)
    }
  }

  private static func rank(_ check: LiveCheck) -> String {
    switch check {
    case .status: "0"
    case .headers: "1"
    case .body: "2"
    case .http: "3"
    case .rule(let rule): "4" + rule.id
    }
  }
}
