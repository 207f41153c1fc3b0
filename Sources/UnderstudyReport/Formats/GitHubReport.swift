/// Workflow commands of GitHub Actions. Each becomes an annotation of the code.
///
/// GitHub shows ten annotations of each level and step, so each cause has one, and the rest is counted.
struct GitHubReport {
  let report: Report
  let context: ReportContext
  private static let limit = 10

  var text: String {
    let causes = report.newCauses
    var places: [String: Location] = [:]
    for (finding, place) in ReportAnchors(report).all where places[finding.fingerprint] == nil {
      places[finding.fingerprint] = place
    }
    var lines: [String] = []
    for severity in Severity.allCases.reversed() {
      lines += causes.filter { $0.first.severity == severity }.prefix(Self.limit).map {
        line($0, at: places[$0.first.fingerprint])
      }
    }
    let rest = causes.count - lines.count
    if rest > 0 { lines.append("\(rest) more; `--report html=FILE` and `--report json=FILE` have them all") }
    // Plain lines contain no text of a body or a message.
    lines.append("\(report.checkedText); not validated: \(report.unvalidated); found: \(report.countsText)")
    lines.append("verdict: \(plainVerdict)")
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reasons may quote a server. `::` is a command only at the start of a line, but `##[` (the runner's older syntax)
  /// anywhere in a line that is not a command.
  private var plainVerdict: String {
    VisibleText.line(report.verdict(context).text).replacing("##[", with: "#\u{200B}#[")
  }

  /// GitHub truncates longer texts.
  private static let longest = 4_000

  private func line(_ cause: Report.Cause, at place: Location?) -> String {
    let finding = cause.first
    var properties: [(String, String)] = []
    if let file = place?.path {
      properties.append(("file", context.paths.path(file)))
      if let line = place?.line {
        properties.append(("line", String(line)))
        properties.append(("endLine", String(place?.endLine ?? line)))
        // Columns count only within one line.
        if let column = place?.column, place?.endLine ?? line == line {
          properties.append(("col", String(column)))
          if let end = place?.endColumn { properties.append(("endColumn", String(end))) }
        }
      }
    }
    properties.append(("title", "\(finding.rule) · \(cause.title)"))
    let head = properties.map { "\($0.0)=\(Self.property($0.1))" }.joined(separator: ",")
    return "::\(finding.severity == .info ? "notice" : finding.severity.rawValue) \(head)::\(Self.data(message(cause)))"
  }

  private func message(_ cause: Report.Cause) -> String {
    let finding = cause.first
    // Only the help and the reproduction are written by this program, with intended line breaks.
    var lines = [VisibleText.line(VisibleText.shortened(finding.placedMessage, to: Self.longest))]
    if cause.findings.count > 1 { lines.append("\(cause.findings.count) findings of the same cause") }
    lines += finding.notes.map { note in VisibleText.line((note.location.map { "\($0.shown): " } ?? "") + note.message)
    }
    if let help = finding.help { lines += VisibleText.lines("help: \(help)", longest: Self.longest) }
    if let command = finding.reproduction { lines += VisibleText.lines("reproduce: \(command)", longest: Self.longest) }
    return lines.joined(separator: "\n")
  }

  /// `%` first, or the escapes would be escaped.
  private static func data(_ text: String) -> String { escaped(text, "%\r\n") }
  private static func property(_ text: String) -> String { escaped(VisibleText.line(text), "%\r\n:,") }

  private static func escaped(_ text: String, _ special: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      if special.utf8.contains(byte) {
        let digits = String(byte, radix: 16, uppercase: true)
        out += ("%" + (byte < 16 ? "0" : "") + digits).utf8
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
