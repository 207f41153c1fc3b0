import UnderstudyText

/// A fault of the server below HTTP.
package enum TLSFault: Sendable, Equatable {
  case expired, notYetValid, wrongHost, selfSigned, unknownAuthority
  case handshakeCut
  /// The server responds to the first message of the handshake after this time.
  case slowHandshake(Duration)
  case oldVersion, noCloseNotify, protocolMismatch
  /// Faults of HTTP/2 (RFC 9113, 6.8, 6.4 and 6.9).
  case goAway, streamReset, stalledWindow

  /// The faults by their names, in the order of the documentation.
  package static let all: [(name: String, fault: Self)] = [
    ("expired", .expired),
    ("not-yet-valid", .notYetValid),
    ("wrong-host", .wrongHost),
    ("self-signed", .selfSigned),
    ("unknown-ca", .unknownAuthority),
    ("handshake-cut", .handshakeCut),
    ("slow-handshake", .slowHandshake(.seconds(10))),
    ("tls-1.0", .oldVersion),
    ("no-close-notify", .noCloseNotify),
    ("alpn-mismatch", .protocolMismatch),
    ("goaway", .goAway),
    ("rst-stream", .streamReset),
    ("stalled-window", .stalledWindow),
  ]

  /// Reads the value of `--tls-fault`.
  package init(_ text: String) throws(TLSProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let known = Self.all.first(where: { $0.name == parts.first }) else {
      throw TLSProblem(
        "`\(text)` is not a fault of `--tls-fault`",
        help: Suggestion.phrase(for: text, among: Self.all.map(\.name))
          ?? "expected one of \(Self.all.map(\.name).joined(separator: ", "))")
    }
    guard parts.count == 2 else {
      self = known.fault
      return
    }
    guard case .slowHandshake = known.fault else {
      throw TLSProblem(
        "`\(text)`: the fault `\(known.name)` takes no time", help: "only slow-handshake does: slow-handshake=2s")
    }
    guard let duration = Duration(text: parts[1]) else {
      throw TLSProblem(
        "`\(text)`: `\(parts[1])` is not a duration", help: "expected 500ms, 2s or 1m, as in slow-handshake=2s")
    }
    self = .slowHandshake(duration)
  }

  /// The certificate of the fault; `nil` for a fault of the connection.
  func identity(by source: TLSSettings.Source, now: Int) throws(TLSProblem) -> ServerIdentity? {
    let (folder, names): (CertificateFolder, [SubjectName]) =
      switch source {
      case .local(let folder, let names): (folder, names)
      case .files: (try .ofUser(), ServerNames(host: "localhost").local)
      }
    let day = CertificateProfile.day
    switch self {
    case .expired:
      return try CertificateFolder.identity(
        for: names, by: folder.authority(now: now), now: now, start: now - 90 * day, end: now - day)
    case .notYetValid:
      return try CertificateFolder.identity(for: names, by: folder.authority(now: now), now: now, start: now + day)
    case .wrongHost:
      return try CertificateFolder.identity(
        for: [.name("wrong-host.localhost")], by: folder.authority(now: now), now: now)
    case .selfSigned: return try CertificateFolder.identity(for: names, by: nil, now: now)
    case .unknownAuthority:
      let key = try PrivateKey()
      let authority = try CertificateProfile.authority("Understudy unknown CA", now: now)
        .certificate(of: key, signedBy: nil)
      return try CertificateFolder.identity(for: names, by: (authority, key), now: now)
    case .handshakeCut, .slowHandshake, .oldVersion, .noCloseNotify, .protocolMismatch, .goAway, .streamReset,
      .stalledWindow:
      return nil
    }
  }

  /// Whether each request of HTTP/2 is refused.
  var refusesStreams: Bool { self == .goAway || self == .streamReset }

  /// Whether the fault needs HTTP/2.
  package var isOfHTTP2: Bool { [.goAway, .streamReset, .stalledWindow].contains(self) }
}
