import UnderstudyRecording
import UnderstudyVerification

/// The options of `record` that would have no effect beside another one. They are errors: what a user asks for is done, or
/// refused.
struct IdleOptions {
  private let record: Record
  private let given: [String]

  init(record: Record) {
    self.record = record
    given = record.given + (record.keeping.pii == .replace ? ["--pii replace"] : [])
  }

  private static let listening = [
    "--port", "--host", "--upstream-timeout", "--upstream-http", "--unix-socket", "--ready-file", "--verbose", "--tls",
    "--cert", "--key", "--client-ca", "--tls-redirect", "--http2", "--tls-fault",
  ]
  private static let scoping = ["--base", "--strict-host"]
  private static let sources = [
    "--upstream", "--from", "--twice", "--cacert", "--allow-remote-refs", "--apply-overlay",
  ]
  private static let results = ["--draft", "--write-overlay", "--overlay", "--mode", "--record-in-ci", "--fixtures"]
  private static let kept = [
    "--keep", "--session", "--when", "--no-when", "--reject-invalid", "--templates", "--pii replace",
  ]

  /// Throws for the first option that has no effect.
  func refuse() throws {
    let keeping = record.keeping
    let places = Self.listening + Self.scoping + Self.sources + Self.results
    if record.check != nil {
      try refuse(places + Self.kept, beside: "--check", "which only scans files", "record in a command of its own")
    }
    if record.draft != nil {
      try refuse(
        Self.kept + Self.scoping + [
          "--write-overlay", "--overlay", "--fixtures", "--allow-remote-refs", "--apply-overlay",
        ],
        beside: "--draft",
        "which writes a contract from every exchange, and no fixtures", "record with the drafted contract afterwards")
    }
    if !record.from.isEmpty {
      try refuse(
        Self.listening, beside: "--from", "which reads a recording, and serves no client", "record with --upstream")
    }
    if record.upstream != nil {
      try refuse(
        Self.scoping, beside: "--upstream", "which records every exchange with its server",
        "name the path in the URL of --upstream: it replaces the contract's base path")
    }
    if keeping.mode == .diff || keeping.mode == RecordingSettings.Mode.none {
      let isNone = keeping.mode == RecordingSettings.Mode.none
      try refuse(
        Self.kept + ["--allow-secret"] + (isNone ? ["--write-overlay", "--overlay", "--twice"] : []),
        beside: isNone ? "--mode none" : "--mode diff", "which writes no fixtures",
        "record with --mode missing or --mode all")
    }
  }

  /// - Parameters:
  ///   - reason: A clause after the name of the other option.
  ///   - alternative: What to do to get what the option is for.
  private func refuse(_ options: [String], beside other: String, _ reason: String, _ alternative: String) throws {
    guard let option = options.first(where: given.contains) else { return }
    throw CommandFailure(
      .usage, "`\(option)` has no effect beside `\(other)`, \(reason)",
      help: "leave out \(option), or \(alternative)")
  }
}
