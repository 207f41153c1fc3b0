import ArgumentParser
import UnderstudyServer
import UnderstudyVerification

#if TLS
import UnderstudyTLS
#endif

/// HTTPS of a server of this program. Each option but `--no-http2` turns it on.
struct TLSOptions: ParsableArguments {
  @Flag(help: "Serve HTTPS as well, on the same port, with a certificate of your own authority: understudy tls trust.")
  var tls = false

  @Option(
    help: ArgumentHelp("Serve HTTPS with this certificate, as PEM, and those that have signed it.", valueName: "file"))
  var cert: String?

  @Option(help: ArgumentHelp("The private key of --cert, as PEM.", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "Ask clients for certificates of the authorities in this PEM file, and check `mutualTLS`.", valueName: "file"))
  var clientCA: String?

  @Flag(help: "Redirect requests without TLS to https.")
  var tlsRedirect = false

  @Flag(
    inversion: .prefixedNo,
    help: "With HTTPS: whether HTTP/2 is served too, by ALPN and by prior knowledge. (default: --http2)")
  var http2: Bool?

  @Option(
    help: ArgumentHelp(
      "Break each connection below HTTP: expired, not-yet-valid, wrong-host, self-signed, unknown-ca, handshake-cut, slow-handshake, tls-1.0, no-close-notify, alpn-mismatch; with HTTP/2: goaway, rst-stream, stalled-window.",
      valueName: "fault"))
  var tlsFault: String?

  /// What the options choose; `nil` for plain HTTP.
  ///
  /// - Parameter host: The address to listen on.
  func choice(host: String) throws -> TLSChoice? {
    guard let option = given.first(where: { $0 != "--no-http2" }) else { return nil }
    for (name, other, isAlone) in [("--cert", "--key", key == nil), ("--key", "--cert", cert == nil)]
    where isAlone && given.contains(name) {
      throw CommandFailure(
        .usage, "`\(name)` has no effect without `\(other)`", help: "add `\(other)`, or remove `\(name)`")
    }
    #if TLS
    return try TLSProblem.asFailure { () throws(TLSProblem) in try choice(host) }
    #else
    throw CommandFailure.withoutTLS("`\(option)`")
    #endif
  }
}

/// HTTPS as the options choose it.
struct TLSChoice: Sendable {
  /// Reads or creates the certificate. `report` writes a line to the log.
  let security: @Sendable (_ report: @escaping @Sendable (String) -> Void) throws -> TransportSecurity
  /// The path of the certificate that clients have to trust; `nil` with `--cert`.
  let authority: String?
  /// What the banner shows, each on a line.
  let notes: [String]
}

extension CommandFailure {
  /// The failure of a program that was built without the trait.
  static func withoutTLS(_ what: String) -> Self {
    Self(
      .usage, "\(what) needs a program with TLS, and this one was built without it",
      help: "released programs have it; from the sources `make install`, or `swift build --traits TLS`")
  }
}

#if TLS
extension TLSProblem {
  /// Runs a function, and turns its problem into the failure of the subcommand.
  static func asFailure<R>(_ body: () throws(TLSProblem) -> R) throws(CommandFailure) -> R {
    do {
      return try body()
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
  }
}

extension TLSOptions {
  private func choice(_ host: String) throws(TLSProblem) -> TLSChoice {
    let fault = try tlsFault.map { (text) throws(TLSProblem) in try TLSFault(text) }
    if let tlsFault, fault?.isOfHTTP2 == true, http2 == false {
      throw TLSProblem(
        "`--tls-fault \(tlsFault)` is one of HTTP/2, which `--no-http2` turns off", help: "remove one of them")
    }
    var authority: String?
    var notes: [String] = []
    let source: TLSSettings.Source
    if let cert, let key {
      source = .files(certificate: cert, key: key)
    } else {
      let folder = try CertificateFolder.ofUser()
      let names = ServerNames(host: host)
      source = .local(folder, names.local)
      authority = folder.authorityPath
      notes.append("certificate: signed by \(folder.authorityPath); for clients: understudy tls trust")
      if !names.foreign.isEmpty {
        let hosts = names.foreign.joined(separator: ", ")
        notes.append(
          "not in the certificate: \(hosts). The authority is limited to local addresses; use --cert for others")
      }
    }
    if let tlsFault { notes.append("tls fault: \(tlsFault)") }
    var settings = TLSSettings(source)
    settings.clientAuthorities = clientCA
    settings.redirectsPlain = tlsRedirect
    settings.fault = fault
    settings.servesHTTP2 = http2 ?? true
    return TLSChoice(
      security: { [settings] report in
        try TLSProblem.asFailure { () throws(TLSProblem) in try TransportSecurity.tls(settings, report: report) }
      }, authority: authority, notes: notes)
  }
}
#endif
