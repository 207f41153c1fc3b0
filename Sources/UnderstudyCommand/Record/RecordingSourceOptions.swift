import ArgumentParser
import UnderstudyVerification

/// What a recording is made from, and what it makes besides fixtures.
struct RecordingSourceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Forward requests to the server at this URL, and record its answers.", valueName: "url"))
  var upstream: String?

  @Option(
    help: ArgumentHelp(
      "Record the exchanges of this file: HAR 1.2, NDJSON with an entry of a HAR in each line, or what `serve --journal` wrote. Repeatable.",
      valueName: "file"))
  var from: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Find what changes in every run by a second pass over the session. With --from: another recording of it, repeatable. \
      With --upstream: `safe` sends GET, HEAD and OPTIONS again at the end, `all` every request.
      """, valueName: "file|safe|all"))
  var twice: [String] = []

  @Option(
    help: ArgumentHelp("Write a first contract for a server that has none, and no fixtures.", valueName: "file"))
  var draft: String?

  @Option(
    help: ArgumentHelp(
      "Write what the contract lacks as an OpenAPI Overlay 1.0: paths, statuses, fields, enum values.",
      valueName: "file"))
  var writeOverlay: String?

  @Option(help: ArgumentHelp("The older name of `--write-overlay`.", valueName: "file", visibility: .private))
  var overlay: String?

  @Option(
    help: ArgumentHelp(
      "Only look for secrets in this file or the files of this folder, and in the paths that follow.",
      valueName: "path"))
  var check: String?

  /// Loads the contracts. Throws if the overlay to write is also applied to them, since its actions would be lost.
  func withWritableOverlay(_ sources: [ContractSource]) throws -> [ContractSource] {
    guard let written = writeOverlay ?? overlay else { return sources }
    let applied = sources.flatMap(\.reading.overlays.files)
    guard !applied.contains(where: { $0.utf8Equals(written) || FileSystem.isSame($0, written) }) else {
      throw CommandFailure(
        .usage, "`--write-overlay \(written)` would replace an overlay that is applied",
        help: "write another file, and apply both: `--apply-overlay` may be repeated")
    }
    return sources
  }
}
