import ArgumentParser
import UnderstudySystem
import UnderstudyVerification

#if TLS
import UnderstudyTLS
#endif

/// `understudy tls`: the certificate authority of `serve --tls`.
struct TLSCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tls",
    abstract: "Let clients trust the certificates of `serve --tls`, show them, or remove them.",
    subcommands: [TLSTrust.self, TLSStatus.self, TLSRemove.self])
}

/// `understudy tls trust`
struct TLSTrust: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Print the steps by which systems and programs trust the certificates of `serve --tls`.")

  @Argument(
    help: ArgumentHelp(
      "Only these: curl, node, python, java, debian, fedora, macos, simulator, ios, android, firefox, chrome.",
      valueName: "system"))
  var systems: [String] = []

  @Flag(help: "Run the commands: those of the named systems, without names those of this system.")
  var install = false

  @Flag(help: "Serve the certificate and the profile for iOS to devices, with a QR code of the address, until Ctrl-C.")
  var serve = false

  @Option(
    help: ArgumentHelp("The port of --serve. (default: a free one)", valueName: "port"),
    transform: (0...UInt16.max).number)
  var port: UInt16?

  @OptionGroup var terminal: TerminalOptions

  func run() async throws {
    #if TLS
    try requireOnePurpose()
    let (folder, authority) = try TLSProblem.asFailure { () throws(TLSProblem) in
      let folder = try CertificateFolder.ofUser()
      return (folder, try folder.authority(now: Timestamp.seconds()).certificate)
    }
    if serve {
      let isColored = Terminal.standardOutput.style(terminal.color).isColored
      return try await TrustServer(authority).run(port: Int(port ?? 0), isColored: isColored)
    }
    if install, systems.isEmpty { return try await TLSInstallation.run(adding: true, folder) }
    let guides = TrustGuide.all(folder.authorityPath)
    for system in systems where !guides.contains(where: { $0.name == system.lowercased() }) {
      throw CommandFailure(
        .usage, "`\(system)` is not a known system",
        help: Suggestion.phrase(for: system, among: guides.map(\.name))
          ?? "expected one of \(guides.map(\.name).joined(separator: ", "))")
    }
    let chosen = guides.filter { guide in
      systems.isEmpty || systems.contains { $0.lowercased() == guide.name }
    }
    guard install else { return Terminal.standardOutput.write(chosen.map(\.text).joined(separator: "\n")) }
    if let guide = chosen.first(where: { !$0.isInstallable }) {
      throw CommandFailure(
        .usage, "`\(guide.name)` has no command to install",
        help: "`understudy tls trust \(guide.name)` prints its steps")
    }
    for command in chosen.flatMap(\.lines) { try await TLSInstallation.require(command) }
    #else
    throw CommandFailure.withoutTLS("`tls trust`")
    #endif
  }
}

extension TLSTrust {
  private func requireOnePurpose() throws {
    if port != nil, !serve {
      throw CommandFailure(
        .usage, "`--port` has no effect without `--serve`", help: "add `--serve`, or remove `--port`")
    }
    guard serve, let other = install ? "`--install`" : systems.first.map({ "the system `\($0)`" }) else { return }
    throw CommandFailure(.usage, "`--serve` cannot be combined with \(other)", help: "leave out one of them")
  }
}

/// `understudy tls status`
struct TLSStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the authority and the certificate of `serve --tls`, and the last day of each.")

  func run() async throws {
    #if TLS
    let (folder, state) = try TLSProblem.asFailure { () throws(TLSProblem) in
      let folder = try CertificateFolder.ofUser()
      return (folder, try folder.state())
    }
    func line(_ name: String, _ text: String) {
      let gap = String(repeating: " ", count: max(1, 13 - name.utf8.count))
      Terminal.standardOutput.write("\(name)\(gap)\(text)\n")
    }
    line("folder", folder.path)
    guard let authority = state.authority else {
      throw CommandFailure(
        .findings, "the certificate authority does not exist yet", help: "`understudy serve --tls` creates it")
    }
    line("authority", "\(authority.subject), valid until \(authority.endText)")
    line("fingerprint", "SHA-256 \(authority.fingerprint)")
    if let server = state.server {
      let isCurrent = server.isSigned(by: authority)
      line("certificate", server.names.map(\.description).joined(separator: ", "))
      line("", isCurrent ? "valid until \(server.endText)" : "of another authority: the next `serve --tls` replaces it")
    } else {
      line("certificate", "none yet: `understudy serve --tls` creates it")
    }
    line("this system", TLSInstallation.status(folder))
    #else
    throw CommandFailure.withoutTLS("`tls status`")
    #endif
  }
}

/// `understudy tls remove`
struct TLSRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove the authority, the certificate and their keys, and the trust of this system in them.")

  func run() async throws {
    #if TLS
    let folder = try TLSProblem.asFailure { () throws(TLSProblem) in try CertificateFolder.ofUser() }
    if TLSInstallation.isInstalled { try await TLSInstallation.run(adding: false, folder) }
    let removed = try TLSProblem.asFailure { () throws(TLSProblem) in try folder.remove() }
    Terminal.standardOutput.write(
      removed.isEmpty ? "nothing to remove in \(folder.path)\n" : removed.map { "removed \($0)\n" }.joined())
    #else
    throw CommandFailure.withoutTLS("`tls remove`")
    #endif
  }
}

#if TLS
/// The authority in the trust store of this system.
private enum TLSInstallation {
  /// Whether the trust store may have an authority. Only the tools of macOS know what its store has.
  static var isInstalled: Bool {
    guard let system = Installation.ofThisSystem else { return false }
    return system.copy.map(FileSystem.exists) ?? true
  }

  static func status(_ folder: CertificateFolder) -> String {
    guard let system = Installation.ofThisSystem, let copy = system.copy else {
      return "see `understudy tls trust` for what it needs"
    }
    guard let installed = try? FileSystem.read(copy).bytes else {
      return "does not trust the authority: `understudy tls trust --install`"
    }
    return installed == (try? FileSystem.read(folder.authorityPath).bytes)
      ? "trusts the authority, by \(copy)" : "trusts another authority, by \(copy): `understudy tls trust --install`"
  }

  static func run(adding: Bool, _ folder: CertificateFolder) async throws {
    guard let system = Installation.ofThisSystem else {
      throw CommandFailure(
        .usage, "the trust store of this system is unknown",
        help: "`understudy tls trust` prints what each client needs")
    }
    let file = ShellQuoting().word(folder.authorityPath)
    if adding {
      for command in system.commands(file) { try await require(command) }
      return
    }
    for command in system.removal(file) {
      guard system.copy == nil else {
        try await require(command)
        continue
      }
      let code = try await perform(command)
      // The keychain may never have had the authority, and its files are removed all the same.
      if code != 0 { Terminal.standardError.write("the trust store has no such authority: exit code \(code)\n") }
    }
  }

  /// Shows and runs a command. Throws if it fails.
  static func require(_ command: String) async throws {
    let code = try await perform(command)
    guard code != 0 else { return }
    throw CommandFailure(
      .usage, "`\(command)` ended with exit code \(code)",
      help: "run it yourself; `understudy tls trust` prints what each client needs")
  }

  private static func perform(_ command: String) async throws -> Int32 {
    // A user who is root may have no sudo.
    let command = getuid() == 0 ? command.replacing("sudo ", with: "") : command
    Terminal.standardError.write("$ \(command)\n")
    return try await ChildProcess.run(["/bin/sh", "-c", command])
  }
}
#endif
