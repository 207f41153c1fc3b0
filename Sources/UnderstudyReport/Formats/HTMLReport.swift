/// A self-contained page: the verdict, the findings with excerpts and a filter, the coverage matrix.
struct HTMLReport {
  let report: Report
  let context: ReportContext
  /// The most causes that have a card.
  private static let cards = 2_000
  /// The most places listed for each cause.
  private static let places = 50
  private static let longest = 4_000

  var text: String {
    let title = Markup.text("understudy \(report.run.command): \(report.verdict(context).text)")
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTMLPage.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(HTMLPage.style)</style>
      </head>
      <body>
      \(head)
      \(findings)
      \(HTMLCoverage(report).text)
      \(checks)
      \(unvalidated)
      <script>\(HTMLPage.script)</script>
      </body>
      </html>

      """
  }

  // MARK: - Head

  private var head: String {
    let verdict = report.verdict(context)
    let kind =
      switch verdict {
      case .passed: "passed"
      case .failed: "failed"
      case .incomplete, .nothingChecked: "open"
      }
    let counts = [
      (report.checked, "checked"), (report.unvalidated, "not validated"), (report.count(.error), "errors"),
      (report.count(.warning), "warnings"), (report.count(.info), "notes"), (report.known, "known"),
    ]
    let run = report.run
    let facts =
      [("contracts", run.contracts.map(\.path).joined(separator: ", "))] + run.scope
      + [("started", run.startedAt), ("took", run.tookText)] + (run.version.map { [("version", $0)] } ?? [])
    let list = facts.map { name, value in "\(name) <code>\(Markup.text(VisibleText.line(value)))</code>" }
    return """
      <h1>understudy \(Markup.text(run.command))</h1>
      <p class="verdict \(kind)">\(inline(verdict.text))</p>
      <ul class="counts">\(counts.map { "<li><b>\($0.0)</b> \($0.1)</li>" }.joined())</ul>
      <p class="soft">\(list.joined(separator: " · "))</p>
      """
  }

  // MARK: - Findings

  private var findings: String {
    let causes = report.newCauses + Report.Cause.all(of: report.findings.filter(\.isKnown))
    var filter = """
      <div class="filter"><input type="search" id="filter" placeholder="Filter by text: a path, a rule, a file" \
      aria-label="Filter by text">
      """
    for kind in ["error", "warning", "info", "known"] where causes.contains(where: { self.kind($0.first) == kind }) {
      filter += "<label><input type=\"checkbox\" value=\"\(kind)\" checked> \(kind)</label>"
    }
    filter += "<span class=\"soft\" id=\"shown\"></span></div>"
    let cards = causes.prefix(Self.cards).map(card).joined(separator: "\n")
    let rest =
      causes.count > Self.cards
      ? "<p>\(causes.count - Self.cards) further causes are omitted; the JSON report has them all.</p>" : ""
    return """
      \(filter)
      <h2>Findings</h2>
      \(causes.isEmpty ? "<p class=\"soft\">None.</p>" : cards)
      \(rest)
      """
  }

  private func kind(_ finding: Report.Finding) -> String { finding.isKnown ? "known" : finding.severity.rawValue }

  private func card(_ cause: Report.Cause) -> String {
    let finding = cause.first
    let classes = "finding \(finding.severity.rawValue)\(finding.isKnown ? " known" : "")"
    var lines = [
      "<article class=\"\(classes)\" data-kind=\"\(kind(finding))\">",
      """
      <header><span class="severity">\(finding.severity.rawValue)</span><b>\(Markup.text(cause.title))</b>\
      <code>\(Markup.text(finding.rule))</code><span class="soft">\(finding.owner.rawValue)\
      \(cause.count > 1 ? " · \(cause.count) times" : "")\(finding.isKnown ? " · known from the baseline" : "")</span></header>
      """,
      "<p>\(inline(finding.message))</p>",
    ]
    lines += place(finding.location)
    for note in finding.notes {
      lines.append("<div class=\"note\"><p class=\"soft\">\(inline(note.message))</p>")
      lines += place(note.location) + ["</div>"]
    }
    if let help = finding.help {
      lines.append(
        "<p><b>Help:</b> \(VisibleText.lines(help, longest: Self.longest).map(inline).joined(separator: "<br>"))</p>")
    }
    if let command = finding.reproduction {
      lines.append(
        "<details><summary>Reproduce</summary><pre>\(textLines(command).joined(separator: "\n"))</pre></details>")
    }
    let others = cause.findings.dropFirst()
    if !others.isEmpty {
      let listed = others.prefix(Self.places).map {
        "<li>\(shown($0.subject.titleWithStatus)) <code>\(shown($0.location?.shown ?? ""))</code></li>"
      }
      let rest = others.count > listed.count ? "<li>and \(others.count - listed.count) more</li>" : ""
      lines.append(
        "<details><summary>\(others.count) more of the same cause</summary><ul>\(listed.joined())\(rest)</ul></details>"
      )
    }
    return lines.joined(separator: "\n") + "\n</article>"
  }

  private func place(_ place: Location?) -> [String] {
    guard let place else { return [] }
    var lines: [String] = []
    let name = place.shown
    if !name.isEmpty { lines.append("<code class=\"soft\">\(shown(name))</code>") }
    if let line = place.line, let excerpt = place.excerpt {
      let text = DiagnosticPrinter().lines(of: excerpt, number: line).joined(separator: "\n")
      lines.append("<pre>\(Markup.text(text))</pre>")
    }
    return lines
  }

  // MARK: - Cases

  private var checks: String {
    let groups = report.cases.grouped { [$0.subject.contract, $0.subject.titleWithStatus] }
    guard !groups.isEmpty else { return "" }
    let lines = groups.map { key, cases in
      let checked = cases.reduce(0) { $0 + $1.checked }
      let skipped = cases.count { $0.outcome != .validated }
      let findings = cases.reduce(0) { $0 + $1.findings.count { !$0.isKnown } }
      let cells = [cases.count, checked, skipped, findings].map { "<td class=\"number\">\($0)</td>" }
      return """
        <tr data-kind="row"><th scope="row"><code>\(shown(key[1]))</code></th><td>\(shown(key[0]))</td>\(cells.joined())</tr>
        """
    }
    return """
      <h2>Checked <small>\(Markup.text(report.checkedText.drop { $0 != ":" }.dropFirst(2).description))</small></h2>
      <div class="scroll"><table><thead><tr><th>what</th><th>contract</th><th class="number">cases</th>\
      <th class="number">checked</th><th class="number">skipped</th><th class="number">findings</th></tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private var unvalidated: String {
    let reasons = report.notValidated.map { "<li>\(inline($0.reason)): \($0.count)</li>" }
    let remarks = report.remarks.map { "<li>\(inline($0))</li>" }
    return (reasons.isEmpty ? "" : "<h2>Not validated</h2>\n<ul>\(reasons.joined())</ul>\n")
      + (remarks.isEmpty ? "" : "<h2>Remarks</h2>\n<ul>\(remarks.joined())</ul>\n")
  }

  // MARK: - Text

  private func shown(_ text: String) -> String {
    Markup.text(VisibleText.line(VisibleText.shortened(text, to: Self.longest)))
  }

  /// The lines of a text of our own.
  private func textLines(_ text: String) -> [String] { VisibleText.lines(text, longest: Self.longest).map(Markup.text) }

  /// Text between backticks as code.
  private func inline(_ text: String) -> String {
    let pieces = shown(text).split(separator: "`", omittingEmptySubsequences: false)
    guard pieces.count % 2 == 1 else { return pieces.joined(separator: "`") }
    return pieces.enumerated().map { $0 % 2 == 0 ? String($1) : "<code>\($1)</code>" }.joined()
  }
}
