import ArgumentParser
import UnderstudyRecording
import UnderstudyVerification

/// What a recording keeps, and whether it writes.
struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      missing: write cells and shapes without a fixture; all: write recorded fixtures again; diff: write nothing, report \
      what fixtures no longer match; none: send and write nothing, fixtures answer. (default: missing)
      """, valueName: "mode"))
  var mode: RecordingSettings.Mode?

  @Option(
    help: ArgumentHelp(
      "The answers of a cell that become fixtures: shapes (the first of each), first, or all. (default: shapes)",
      valueName: "which"))
  var keep: RecordingSettings.Keep?

  @Option(help: ArgumentHelp("Keep the order of the whole session as the scenario of this name.", valueName: "name"))
  var session: String?

  @Flag(inversion: .prefixedNo, help: "Write `when` for variants that their requests explain. (default: --when)")
  var when: Bool?

  @Flag(help: "Leave out answers that break the contract; without it they are written with `violates`.")
  var rejectInvalid = false

  @Flag(help: "Write values of the request, and times near the recording, as placeholders of a template.")
  var templates = false

  @Option(
    help: ArgumentHelp(
      "Phone numbers, names and other personal data: list, replace by fakes of the same form, or keep. (default: list)",
      valueName: "what"))
  var pii: RecordingSettings.Personal?

  @OptionGroup var redaction: RedactionOptions

  @Option(
    help: ArgumentHelp("Write files in which the last scan still finds this: redact.jwt. Repeatable.", valueName: "id"))
  var allowSecret: [String] = []

  @Flag(name: .customLong("record-in-ci"), help: "Also send and write where the environment has CI.")
  var recordInCI = false

  func settings(_ configuration: Configuration) throws -> RecordingSettings {
    var settings = RecordingSettings()
    settings.mode = mode ?? settings.mode
    settings.keep = keep ?? settings.keep
    settings.infersWhen = when ?? settings.infersWhen
    settings.personal = pii ?? settings.personal
    settings.rejectsInvalid = rejectInvalid
    settings.writesTemplates = templates
    settings.redaction = try redaction.settings(configuration)
    settings.allowedSecrets = try allowed()
    if let session {
      guard !session.isEmpty, session.utf8.allSatisfy(Self.isOfName) else {
        throw CommandFailure(
          .usage, "`--session \(session)` cannot name a file", help: "expected letters, digits, `-` and `_`")
      }
      settings.session = session
    }
    return settings
  }
}

extension RecordingOptions {
  private static func isOfName(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "~")
  }

  /// The ids of `--allow-secret`. Throws if one is not a rule of redaction.
  func allowed() throws -> [String] {
    let known = Rule.redaction.map(\.id)
    for id in allowSecret where !known.contains(where: { $0.utf8Equals(id) }) {
      throw CommandFailure(
        .usage, "`--allow-secret \(id)` names no rule of redaction",
        help: Suggestion.phrase(for: id, among: known) ?? "`understudy explain 'redact.*'` lists them")
    }
    return allowSecret
  }
}

extension RecordingSettings.Mode: ExpressibleByArgument {}
extension RecordingSettings.Keep: ExpressibleByArgument {}
extension RecordingSettings.Personal: ExpressibleByArgument {}

/// Whether this is a job of continuous integration.
enum CIGuard {
  static var isOn: Bool { Environment["CI"].map { !$0.isEmpty && $0 != "false" && $0 != "0" } ?? false }
}
