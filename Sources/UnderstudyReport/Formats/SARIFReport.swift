/// SARIF 2.1.0 (OASIS), as GitHub code scanning reads it.
struct SARIFReport {
  let report: Report
  let context: ReportContext
  /// The most results that GitHub accepts in one run.
  private static let limit = 25_000

  var text: String {
    let log: JSON = ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    return JSONWriter.text(log, .pretty) + "\n"
  }

  private var run: JSON {
    let anchored = ReportAnchors(report).all.prefix(Self.limit)
    let rules = anchored.map(\.finding.rule).unique()
    let positions = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
    var numbers = FingerprintNumbers()
    let results = anchored.map { finding, place in
      result(finding, place, rule: positions[finding.rule] ?? 0, number: numbers.number(of: finding.fingerprint))
    }
    let driver = JSON.object(
      ("name", "understudy"), ("semanticVersion", report.run.version.map(JSON.string)),
      ("rules", .array(rules.map(SARIFRule.descriptor))))
    return [
      "tool": ["driver": driver],
      "automationDetails": ["id": .string(category)],
      "invocations": [invocation],
      "originalUriBaseIds": ["%SRCROOT%": ["description": ["text": "The root of the repository."]]],
      "columnKind": "unicodeCodePoints",
      "results": .array(results),
    ]
  }

  /// On GitHub a run replaces another of its category, so each part and command has its own.
  private var category: String {
    let names = report.run.contracts.map(\.name).joined(separator: "+")
    let contracts = names.utf8.count <= 80 ? names : String(StableHash.of(report.run.contracts.map(\.path)), radix: 16)
    let parts = ["understudy", report.run.command, contracts, report.run.shard ?? ""]
    return parts.filter { !$0.isEmpty }.map { part in
      String(String.UnicodeScalarView(VisibleText.line(part).unicodeScalars.map { $0 == "/" || $0 == " " ? "-" : $0 }))
    }.joined(separator: "/") + "/"
  }

  private var invocation: JSON {
    let verdict = report.verdict(context)
    var notifications: [(level: String, text: String)] = []
    switch verdict {
    case .incomplete, .nothingChecked: notifications.append(("error", verdict.text))
    case .passed, .failed: break
    }
    let isComplete = notifications.isEmpty
    notifications += report.notValidated.map { ("note", "not validated: \($0.reason) (\($0.count))") }
    notifications += report.remarks.map { ("note", $0) }
    if report.findings.count > Self.limit {
      notifications.append(("warning", "\(report.findings.count - Self.limit) further findings are omitted"))
    }
    return .object(
      ("executionSuccessful", JSON(booleanLiteral: isComplete)),
      ("startTimeUtc", isDate(report.run.startedAt) ? .string(report.run.startedAt) : nil),
      (
        "toolExecutionNotifications",
        .array(notifications.map { ["level": .string($0.level), "message": message($0.text)] })
      ))
  }

  // MARK: - Results

  private func result(_ finding: Report.Finding, _ place: Location?, rule: Int, number: Int) -> JSON {
    var text = "\(finding.subject.titleWithStatus): \(finding.placedMessage)"
    for note in finding.notes where note.location == nil { text += "\nnote: \(note.message)" }
    if let help = finding.help { text += "\nhelp: \(help)" }
    if let command = finding.reproduction { text += "\nreproduce: \(command)" }
    let related = finding.notes.enumerated().compactMap { position, note in
      note.location.flatMap(physical).map { place -> JSON in
        ["id": .integer(position + 1), "physicalLocation": place, "message": message(note.message)]
      }
    }
    let fingerprints: JSON = [
      "understudy/v1": .string(finding.fingerprint),
      // GitHub would compute it from the text of the line, and a changed line would be another finding.
      "primaryLocationLineHash": .string("\(finding.fingerprint):\(number)"),
    ]
    let suppressions: JSON? =
      finding.isKnown ? [["kind": "external", "justification": "known from the baseline"]] : nil
    return .object(
      ("ruleId", .string(shown(finding.rule))), ("ruleIndex", .integer(rule)),
      ("level", .string(SARIFRule.level(finding.severity))), ("message", message(text)),
      ("locations", [location(of: finding, at: place)]),
      ("relatedLocations", related.isEmpty ? nil : .array(related.prefix(100))),
      ("partialFingerprints", fingerprints),
      ("occurrenceCount", finding.count > 1 ? .integer(finding.count) : nil), ("suppressions", suppressions),
      ("properties", ["owner": .string(finding.owner.rawValue)]))
  }

  private func location(of finding: Report.Finding, at place: Location?) -> JSON {
    var name = finding.subject.titleWithStatus
    if finding.location?.path == nil, let pointer = finding.location?.pointer { name += " \(pointer)" }
    return .object(
      ("physicalLocation", place.flatMap(physical)),
      ("logicalLocations", [["fullyQualifiedName": .string(shown(name)), "kind": "resource"]]))
  }

  private func physical(_ place: Location) -> JSON? {
    guard let file = place.path else { return nil }
    let path = context.paths.path(file)
    let encoded = PercentEncoding.encode(path, keeping: "/")
    let artifact: JSON =
      path.utf8.first == UInt8(ascii: "/")
      ? ["uri": .string("file://\(encoded)")] : ["uri": .string(encoded), "uriBaseId": "%SRCROOT%"]
    func number(_ value: Int?) -> JSON? { value.map { .integer(max(1, $0)) } }
    // GitHub omits results without a line.
    let region = JSON.object(
      ("startLine", number(place.line ?? 1)), ("startColumn", number(place.column)), ("endLine", number(place.endLine)),
      ("endColumn", number(place.endColumn)))
    return ["artifactLocation": artifact, "region": region]
  }

  /// `[text](target)` is a link in a message (3.11.6), which text of a server must not make.
  private func message(_ text: String) -> JSON { ["text": .string(shown(text).replacing("](", with: "]\u{200B}("))] }

  /// Reports are read from files, and SARIF allows only a date here.
  private func isDate(_ text: String) -> Bool {
    text.utf8.count >= 20 && text.utf8.last == UInt8(ascii: "Z")
      && text.utf8.allSatisfy("0123456789-:.TZ".utf8.contains)
  }

  private static let longest = 4_000

  private func shown(_ text: String) -> String { VisibleText.block(VisibleText.shortened(text, to: Self.longest)) }
}
