import UnderstudyRecording
import UnderstudyVerification

/// The options of `record` that would have no effect beside another one. They are errors: what a user asks for is done, or
/// refused.
struct IdleOptions {
  private typealias Option = (name: String, isGiven: Bool)

  let record: Record

  /// Throws for the first option that has no effect.
  func refuse() throws {
    let keeping = record.keeping
    let places = listening + scoping + sources + results
    if record.check != nil {
      try refuse(places + kept, beside: "--check", "which only scans files", "record in a command of its own")
    }
    if record.draft != nil {
      try refuse(
        kept + scoping + [("--overlay", record.overlay != nil), fixtures, remoteRefs], beside: "--draft",
        "which writes a contract from every exchange, and no fixtures", "record with the drafted contract afterwards")
    }
    if !record.from.isEmpty {
      try refuse(listening, beside: "--from", "which reads a recording, and serves no client", "record with --upstream")
    }
    if record.upstream != nil {
      try refuse(
        scoping, beside: "--upstream", "which records every exchange with its server",
        "name the path in the URL of --upstream: it replaces the contract's base path")
    }
    if keeping.mode == .diff || keeping.mode == RecordingSettings.Mode.none {
      let isNone = keeping.mode == RecordingSettings.Mode.none
      let others = isNone ? [("--overlay", record.overlay != nil), ("--twice", !record.twice.isEmpty)] : []
      try refuse(
        kept + [("--allow-secret", !keeping.allowSecret.isEmpty)] + others,
        beside: isNone ? "--mode none" : "--mode diff", "which writes no fixtures",
        "record with --mode missing or --mode all")
    }
  }

  /// - Parameters:
  ///   - reason: A clause after the name of the other option.
  ///   - alternative: What to do to get what the option is for.
  private func refuse(_ options: [Option], beside other: String, _ reason: String, _ alternative: String) throws {
    guard let option = options.first(where: \.isGiven) else { return }
    throw CommandFailure(
      .usage, "`\(option.name)` has no effect beside `\(other)`, \(reason)",
      help: "leave out \(option.name), or \(alternative)")
  }

  // MARK: - Options by what they are for

  /// The server of a live recording.
  private var listening: [Option] {
    [
      ("--port", record.listen.port != nil), ("--host", record.listen.host != nil),
      ("--upstream-timeout", record.client.upstreamTimeout != nil),
      ("--upstream-http", record.client.upstreamHTTP != nil),
      ("--unix-socket", record.socket.unixSocket != nil), ("--ready-file", record.listen.readyFile != nil),
      ("--verbose", record.verbose),
    ] + record.tls.given
  }

  /// The exchanges of a file.
  private var scoping: [Option] {
    [("--base", !record.scope.base.isEmpty), ("--strict-host", record.scope.strictHost)]
  }

  private var sources: [Option] {
    [
      ("--upstream", record.upstream != nil), ("--from", !record.from.isEmpty), ("--twice", !record.twice.isEmpty),
      ("--cacert", record.trust.cacert != nil), remoteRefs,
    ]
  }

  private var results: [Option] {
    [
      ("--draft", record.draft != nil), ("--overlay", record.overlay != nil), ("--mode", record.keeping.mode != nil),
      ("--record-in-ci", record.keeping.recordInCI), fixtures,
    ]
  }

  private var remoteRefs: Option { ("--allow-remote-refs", record.contracts.allowRemoteRefs) }
  private var fixtures: Option { ("--fixtures", record.contracts.fixtures != nil) }

  /// The fixtures that are written.
  private var kept: [Option] {
    let keeping = record.keeping
    return [
      ("--keep", keeping.keep != nil), ("--session", keeping.session != nil), ("--when", keeping.when == true),
      ("--no-when", keeping.when == false), ("--reject-invalid", keeping.rejectInvalid),
      ("--templates", keeping.templates), ("--pii replace", keeping.pii == .replace),
    ]
  }
}
