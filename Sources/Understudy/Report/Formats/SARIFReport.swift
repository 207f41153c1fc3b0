/// SARIF 2.1.0 (OASIS), as GitHub code scanning reads it.
struct SARIFReport {
  let report: Report
  let context: ReportContext
  /// What GitHub takes of one run.
  private static let limit = 25_000
  private static let longest = 4_000

  var text: String {
    let log: JSON = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [run],
    ]
    return JSONWriter.text(log, .pretty) + "\n"
  }

  private var run: JSON {
    let anchored = ReportAnchors(report).all.prefix(Self.limit)
    let rules = SARIFRules(anchored.map(\.finding.rule))
    var numbers = FingerprintNumbers()
    let results = anchored.map { finding, place in
      result(
        finding, place, rule: rules.position(of: finding.rule) ?? 0, number: numbers.number(of: finding.fingerprint))
    }
    var driver: [(String, JSON)] = [("name", "understudy")]
    if let version = report.run.version { driver.append(("semanticVersion", .string(version))) }
    driver.append(("rules", rules.descriptors))
    return [
      "tool": ["driver": .object(driver)],
      "automationDetails": ["id": .string(category)],
      "invocations": [invocation],
      "originalUriBaseIds": ["%SRCROOT%": ["description": ["text": "The root of the repository."]]],
      "columnKind": "unicodeCodePoints",
      "results": .array(results),
    ]
  }

  /// Two runs of one category replace each other on GitHub, so parts and commands have categories of their own.
  private var category: String {
    let names = report.run.contracts.map { Path.stem(of: $0) }.joined(separator: "+")
    let contracts = names.utf8.count <= 80 ? names : String(StableHash.of(report.run.contracts), radix: 16)
    let parts = ["understudy", report.run.command, contracts, report.run.shard ?? ""]
    return parts.filter { !$0.isEmpty }.map { part in
      String(String.UnicodeScalarView(VisibleText.line(part).unicodeScalars.map { $0 == "/" || $0 == " " ? "-" : $0 }))
    }.joined(separator: "/") + "/"
  }

  private var invocation: JSON {
    let verdict = report.verdict(context)
    var told: [(String, String)] = []
    switch verdict {
    case .incomplete, .nothingChecked: told.append(("error", verdict.text))
    case .passed, .failed: break
    }
    told += report.notValidated.map { ("note", "not validated: \($0.reason) (\($0.count))") }
    told += report.remarks.map { ("note", $0) }
    if report.findings.count > Self.limit {
      told.append(("warning", "\(report.findings.count - Self.limit) further findings were left out"))
    }
    let notifications = told.map { level, text -> JSON in
      ["level": .string(level), "message": message(text)]
    }
    let isComplete = !told.contains { $0.0 == "error" }
    var members: [(String, JSON)] = [("executionSuccessful", JSON(booleanLiteral: isComplete))]
    if isDate(report.run.startedAt) { members.append(("startTimeUtc", .string(report.run.startedAt))) }
    members.append(("toolExecutionNotifications", .array(notifications)))
    return .object(members)
  }

  // MARK: - Results

  private func result(_ finding: Report.Finding, _ place: Report.Place?, rule: Int, number: Int) -> JSON {
    var text = "\(finding.subject.titleWithStatus): \(finding.placedMessage)"
    if let help = finding.help { text += "\nhelp: \(help)" }
    if let command = finding.reproduction { text += "\nsee it again: \(command)" }
    var members: [(String, JSON)] = [
      ("ruleId", .string(shown(finding.rule))), ("ruleIndex", JSON(integerLiteral: rule)),
      ("level", .string(level(finding.severity))), ("message", message(text)),
      ("locations", [location(of: finding, at: place)]),
    ]
    let related = finding.notes.enumerated().compactMap { position, note in
      note.place.flatMap { place in
        physical(place).map {
          JSON.object([
            ("id", JSON(integerLiteral: position + 1)), ("physicalLocation", $0), ("message", message(note.message)),
          ])
        }
      }
    }
    if !related.isEmpty { members.append(("relatedLocations", .array(related.prefix(100)))) }
    members.append(
      (
        "partialFingerprints",
        [
          "understudy/v1": .string(finding.fingerprint),
          // GitHub would take it from the text of the line, and take a line that changed for another finding.
          "primaryLocationLineHash": .string("\(finding.fingerprint):\(number)"),
        ]
      ))
    if finding.count > 1 { members.append(("occurrenceCount", JSON(integerLiteral: finding.count))) }
    if finding.isKnown {
      members.append(("suppressions", [["kind": "external", "justification": "known from the baseline"]]))
    }
    members.append(("properties", ["owner": .string(finding.owner.rawValue)]))
    return .object(members)
  }

  private func location(of finding: Report.Finding, at place: Report.Place?) -> JSON {
    var members: [(String, JSON)] = []
    if let physical = place.flatMap(physical) { members.append(("physicalLocation", physical)) }
    var name = finding.subject.titleWithStatus
    if finding.place?.file == nil, let pointer = finding.place?.pointer { name += " \(pointer)" }
    members.append(("logicalLocations", [["fullyQualifiedName": .string(shown(name)), "kind": "resource"]]))
    return .object(members)
  }

  private func physical(_ place: Report.Place) -> JSON? {
    guard let file = place.file else { return nil }
    let path = context.paths.path(file)
    let encoded = PercentEncoding.encode(path, keeping: "/")
    let artifact: JSON =
      path.utf8.first == UInt8(ascii: "/")
      ? ["uri": .string("file://\(encoded)")] : ["uri": .string(encoded), "uriBaseId": "%SRCROOT%"]
    var members = [("artifactLocation", artifact)]
    // GitHub shows nothing that has no line.
    var region: [(String, JSON)] = [("startLine", JSON(integerLiteral: max(1, place.line ?? 1)))]
    if let column = place.column { region.append(("startColumn", JSON(integerLiteral: max(1, column)))) }
    if let line = place.endLine { region.append(("endLine", JSON(integerLiteral: max(1, line)))) }
    if let column = place.endColumn { region.append(("endColumn", JSON(integerLiteral: max(1, column)))) }
    members.append(("region", .object(region)))
    return .object(members)
  }

  private func level(_ severity: Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }

  /// `[text](target)` is a link in a message (3.11.6); what a server sent makes none.
  private func message(_ text: String) -> JSON { ["text": .string(shown(text).replacing("](", with: "]\u{200B}("))] }

  /// Reports are read from files, and a validator refuses what is no date.
  private func isDate(_ text: String) -> Bool {
    text.utf8.count >= 20 && text.utf8.last == UInt8(ascii: "Z")
      && text.utf8.allSatisfy("0123456789-:.TZ".utf8.contains)
  }

  private func shown(_ text: String) -> String {
    VisibleText.block(VisibleText.shortened(text, to: Self.longest))
  }
}
