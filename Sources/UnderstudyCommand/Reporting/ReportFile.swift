import ArgumentParser
import UnderstudyVerification

/// `--report junit=out/report.xml`: a format and a file.
struct ReportFile {
  let format: ReportFormat
  let path: String

  init(_ argument: String) throws {
    let formats = ReportFormat.allCases.map(\.rawValue)
    let known = "known formats: \(formats.joined(separator: ", "))"
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw ValidationError(
        "`--report \(argument)` names no file: expected a format and a file, as in `junit=report.xml`; \(known)")
    }
    guard let format = ReportFormat(rawValue: parts[0]) else {
      let hint = Suggestion.phrase(for: parts[0], among: formats) ?? known
      throw ValidationError("`--report \(argument)` has an unknown format `\(parts[0])`: \(hint)")
    }
    self.format = format
    path = parts[1]
  }
}
