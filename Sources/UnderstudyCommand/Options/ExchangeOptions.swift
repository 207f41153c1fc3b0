import ArgumentParser

/// The files that get every exchange of a mock.
struct ExchangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record every exchange in this file (HAR 1.2), without secrets; an earlier recording is continued.",
      valueName: "file"))
  var har: String?

  @Flag(help: "With --har: replace an existing file of any kind.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "Keep every exchange in this SQLite file, without secrets; an earlier journal is continued. `understudy journal` shows it.",
      valueName: "file"))
  var journal: String?
}
