import ArgumentParser
import Understudy

/// What a recording keeps, and whether it writes.
struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      missing: write cells and shapes without a fixture; all: write recorded fixtures again; diff: write nothing, report \
      what fixtures no longer match; none: send and write nothing, fixtures answer.
      """, valueName: "mode"))
  var mode = RecordingSettings.Mode.missing

  @Option(
    help: ArgumentHelp(
      "The answers of a cell that become fixtures: shapes (the first of each), first, or all.", valueName: "which"))
  var keep = RecordingSettings.Keep.shapes

  @Option(help: ArgumentHelp("Keep the order of the whole session as the scenario of this name.", valueName: "name"))
  var session: String?

  @Flag(inversion: .prefixedNo, help: "Write `when` for variants that their requests explain.")
  var when = true

  @Flag(help: "Leave out answers that break the contract; without it they are written with `violates`.")
  var rejectInvalid = false

  @Flag(help: "Write values of the request, and times near the recording, as placeholders of a template.")
  var templates = false

  @OptionGroup var redaction: RedactionOptions

  @Option(
    help: ArgumentHelp("Write files in which the last scan still finds this: redact.jwt. Repeatable.", valueName: "id"))
  var allowSecret: [String] = []

  @Flag(name: .customLong("record-in-ci"), help: "Also send and write where the environment has CI.")
  var recordInCI = false

  func settings(_ configuration: Configuration) throws -> RecordingSettings {
    var settings = RecordingSettings()
    settings.mode = mode
    settings.keep = keep
    settings.infersWhen = when
    settings.rejectsInvalid = rejectInvalid
    settings.writesTemplates = templates
    settings.redaction = try redaction.settings(configuration)
    settings.allowedSecrets = allowSecret
    if let session {
      guard ContractSource.canName(session), !session.utf8.contains(UInt8(ascii: ".")) else {
        throw CommandFailure(
          .usage, "`--session \(session)` cannot name a file", help: "expected letters, digits, `-` and `_`")
      }
      settings.session = session
    }
    return settings
  }
}

extension RecordingSettings.Mode: ExpressibleByArgument {}
extension RecordingSettings.Keep: ExpressibleByArgument {}

/// Whether this is a job of continuous integration.
enum CIGuard {
  static var isOn: Bool { Environment["CI"].map { !$0.isEmpty && $0 != "false" && $0 != "0" } ?? false }
}

/// The folder of fixtures, which a recording creates.
enum RecordingFolder {
  /// Throws if the path is that of a file.
  static func path(_ flag: String?, _ configuration: Configuration) throws -> String {
    let setting = Setting("fixtures", flag: flag, "UNDERSTUDY_FIXTURES", configuration.fixtures)
    let path = setting?.text ?? "fixtures"
    guard !FileSystem.exists(path) || FileSystem.isFolder(path) else {
      throw CommandFailure(
        .usage, "the folder of fixtures is a file: \(path)", help: "choose another one with --fixtures")
    }
    return path
  }

  /// Throws before anything is recorded if the folder cannot be written to.
  static func check(_ folder: String) throws {
    do throws(FileProblem) {
      let staging = try StagedFiles(in: folder)
      // A recording that fails leaves nothing.
      staging.discard()
    } catch {
      throw CommandFailure(
        .usage, "no fixtures can be written to \(folder): \(error.message)",
        help: error.help ?? "choose another folder with --fixtures")
    }
  }
}
