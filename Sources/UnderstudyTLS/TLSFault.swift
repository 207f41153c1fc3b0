import UnderstudyText

/// What a server does wrong below HTTP.
package enum TLSFault: Sendable, Equatable {
  case expired, notYetValid, wrongHost, selfSigned, unknownAuthority
  case handshakeCut
  /// The client waits for the answer to its first message.
  case slowHandshake(Duration)
  case oldVersion, noCloseNotify, protocolMismatch

  /// The names with what they do, in the order of the documentation.
  package static let all: [(name: String, fault: Self, text: String)] = [
    ("expired", .expired, "the certificate has ended yesterday"),
    ("not-yet-valid", .notYetValid, "the certificate begins tomorrow"),
    ("wrong-host", .wrongHost, "the certificate is for wrong-host.localhost alone"),
    ("self-signed", .selfSigned, "the certificate has signed itself"),
    ("unknown-ca", .unknownAuthority, "an authority that nobody knows has signed the certificate"),
    ("handshake-cut", .handshakeCut, "the connection is closed after the first message of the client"),
    ("slow-handshake", .slowHandshake(.seconds(10)), "the first message is answered after 10 s; slow-handshake=2s"),
    ("tls-1.0", .oldVersion, "nothing newer than TLS 1.0 is spoken"),
    ("no-close-notify", .noCloseNotify, "a connection is closed without the alert that marks its end"),
    ("alpn-mismatch", .protocolMismatch, "the handshake ends with the alert no_application_protocol"),
  ]

  /// Reads the value of `--tls-fault`.
  package init(_ text: String) throws(TLSProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let known = Self.all.first(where: { $0.name == parts.first }) else {
      throw TLSProblem(
        "`--tls-fault \(text)` names no fault",
        help: Suggestion.phrase(for: text, among: Self.all.map(\.name))
          ?? "expected one of \(Self.all.map(\.name).joined(separator: ", "))")
    }
    guard parts.count == 2 else {
      self = known.fault
      return
    }
    guard case .slowHandshake = known.fault, let duration = Duration(text: parts[1]) else {
      throw TLSProblem(
        "`--tls-fault \(text)` has no valid time", help: "expected slow-handshake=2s; no other fault takes a time")
    }
    self = .slowHandshake(duration)
  }

  /// The certificate that is wrong; `nil` where another thing is.
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
    case .handshakeCut, .slowHandshake, .oldVersion, .noCloseNotify, .protocolMismatch: return nil
    }
  }
}
