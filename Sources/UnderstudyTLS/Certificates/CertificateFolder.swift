import UnderstudySystem
import UnderstudyText

/// The folder with the local certificate authority of a user, and the certificate that it has signed for servers.
///
/// The process that creates a certificate locks the folder, so that processes that start together share one.
package struct CertificateFolder: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Below the user's folder for settings: `$XDG_CONFIG_HOME` or `~/.config`, on macOS `~/Library/Application Support`.
  package static func ofUser() throws(TLSProblem) -> CertificateFolder {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    // A relative path is ignored (XDG Base Directory Specification).
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return Self(folder + "/understudy/tls") }
    guard let home = variable("HOME") else {
      throw TLSProblem(
        "the folder for certificates is unknown: HOME is not set", help: "set HOME, or name files by --cert and --key")
    }
    #if os(macOS)
    return Self(home + "/Library/Application Support/understudy/tls")
    #else
    return Self(home + "/.config/understudy/tls")
    #endif
  }

  /// The certificate of the authority, which clients have to trust.
  package var authorityPath: String { path + "/ca.pem" }
  private var authorityKeyPath: String { path + "/ca-key.pem" }
  package var serverPath: String { path + "/server.pem" }
  private var serverKeyPath: String { path + "/server-key.pem" }
  private var files: [String] { [authorityPath, authorityKeyPath, serverPath, serverKeyPath] }

  /// The most names of earlier servers that a new certificate keeps.
  private static let nameLimit = 32

  // MARK: - Certificates

  /// Returns the authority, and creates it if it does not exist.
  ///
  /// - Parameter now: In seconds since 1970.
  package func authority(now: Int) throws(TLSProblem) -> (certificate: Certificate, key: PrivateKey) {
    try locked { () throws(TLSProblem) in try authorityInside(now: now) }
  }

  /// Returns the certificate of a server with these names. It is created if none is stored, and replaced if the stored one
  /// lacks a name or ends soon.
  ///
  /// - Parameter now: In seconds since 1970.
  package func identity(for names: [SubjectName], now: Int) throws(TLSProblem) -> ServerIdentity {
    try locked { () throws(TLSProblem) in
      let authority = try authorityInside(now: now)
      let old = try stored(serverPath, serverKeyPath)
      if let old, let bytes = old.certificate.pem, let key = old.key.pem,
        old.certificate.isSigned(by: authority.certificate), old.certificate.start <= now,
        old.certificate.end - now >= CertificateProfile.renewalDays * CertificateProfile.day,
        names.allSatisfy(old.certificate.isValid)
      {
        return ServerIdentity(certificates: bytes, key: key, end: old.certificate.end)
      }
      // Servers on other addresses would replace each other's certificate.
      let others = (old?.certificate.names ?? []).filter { $0.isLocal && !names.contains($0) }
      let new = try Self.identity(for: names + others.prefix(Self.nameLimit), by: authority, now: now)
      try write(new.key, to: serverKeyPath)
      try write(new.certificates, to: serverPath)
      return new
    }
  }

  /// A new certificate for a server.
  package static func identity(
    for names: [SubjectName], by authority: (certificate: Certificate, key: PrivateKey)?, now: Int,
    start: Int? = nil, end: Int? = nil
  ) throws(TLSProblem) -> ServerIdentity {
    let key = try PrivateKey()
    let start = start ?? now - CertificateProfile.skew
    // Both ends belong to the validity (RFC 5280, 4.1.2.5).
    let longest = start + CertificateProfile.serverDays * CertificateProfile.day - 1
    let end = min(end ?? longest, longest, authority?.certificate.end ?? longest)
    let certificate = try CertificateProfile.server(names, start: start, end: end)
      .certificate(of: key, signedBy: authority)
    guard let bytes = certificate.pem, let keyBytes = key.pem else {
      throw TLSProblem("libcrypto wrote no certificate")
    }
    return ServerIdentity(certificates: bytes, key: keyBytes, end: end)
  }

  private func authorityInside(now: Int) throws(TLSProblem) -> (certificate: Certificate, key: PrivateKey) {
    if let old = try stored(authorityPath, authorityKeyPath) {
      if old.certificate.isAuthority,
        old.certificate.end - now >= CertificateProfile.renewalDays * CertificateProfile.day
      {
        return old
      }
    } else if FileSystem.exists(authorityPath) {
      throw TLSProblem(
        "\(authorityPath) and its key do not belong together, or are damaged",
        help: "`understudy tls remove` removes them; the next `--tls` creates others, which clients have to trust anew")
    }
    let key = try PrivateKey()
    let certificate = try CertificateProfile.authority(Self.authorityName, now: now).certificate(of: key, signedBy: nil)
    guard let bytes = certificate.pem, let keyBytes = key.pem else {
      throw TLSProblem("libcrypto wrote no certificate")
    }
    try write(keyBytes, to: authorityKeyPath)
    try write(bytes, to: authorityPath)
    return (certificate, key)
  }

  /// A stored certificate with its key; `nil` if one of them is missing or damaged.
  private func stored(
    _ path: String, _ keyPath: String
  ) throws(TLSProblem) -> (certificate: Certificate, key: PrivateKey)? {
    guard let bytes = try read(path), let keyBytes = try read(keyPath),
      let certificate = Certificate.read(pem: bytes).first,
      let key = PrivateKey(pem: keyBytes), certificate.matches(key)
    else { return nil }
    return (certificate, key)
  }

  /// Has the name of the machine, since a device may trust the authorities of several; at most 64 characters (RFC 5280, A.1).
  private static var authorityName: String {
    guard let machine = ServerNames.machine else { return "Understudy local CA" }
    return "Understudy local CA (\(machine.unicodeScalars.filter(\.isASCII).prefix(40).map(String.init).joined()))"
  }

  // MARK: - Its state

  /// The certificates in the folder.
  package struct State {
    package let authority: Certificate?
    package let server: Certificate?
  }

  package func state() throws(TLSProblem) -> State {
    func certificate(_ path: String) throws(TLSProblem) -> Certificate? {
      try read(path).flatMap { Certificate.read(pem: $0).first }
    }
    return State(authority: try certificate(authorityPath), server: try certificate(serverPath))
  }

  /// Removes the certificates and their keys.
  ///
  /// - Returns: The files that were there.
  package func remove() throws(TLSProblem) -> [String] {
    let removed = files.filter(FileSystem.exists)
    for file in removed where unlink(file) != 0 && errno != ENOENT {
      throw Self.problem(FileSystem.problem(file, errno))
    }
    rmdir(path)
    return removed
  }

  // MARK: - Files

  /// Runs `body` while no other process makes a certificate.
  private func locked<Value>(_ body: () throws(TLSProblem) -> Value) throws(TLSProblem) -> Value {
    try makeFolder()
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.problem(FileSystem.problem(path, errno)) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Self.problem(FileSystem.problem(path, errno)) }
    }
    return try body()
  }

  /// Makes the folder, which is for its owner alone.
  private func makeFolder() throws(TLSProblem) {
    guard !FileSystem.isFolder(path) else { return }
    do {
      try FileSystem.makeFolder(Path.folder(of: path))
    } catch {
      throw Self.problem(error)
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.problem(FileSystem.problem(path, errno)) }
  }

  /// Returns the bytes of a file, or `nil` if it does not exist.
  private func read(_ path: String) throws(TLSProblem) -> [UInt8]? {
    do throws(FileProblem) {
      return try FileSystem.read(path, maximumBytes: 1 << 20).bytes
    } catch {
      if error.kind == .missing { return nil }
      throw Self.problem(error)
    }
  }

  /// Replaces a file, which is for its owner alone.
  private func write(_ bytes: [UInt8], to path: String) throws(TLSProblem) {
    let draft = "\(path).\(getpid()).part"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.problem(FileSystem.problem(path, errno)) }
    var rest = bytes[...]
    var isWritten = true
    while isWritten, !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0) }
      if count < 0, errno == EINTR { continue }
      isWritten = count > 0
      rest = rest.dropFirst(max(0, count))
    }
    isWritten = isWritten && fsync(file) == 0
    let code = errno
    close(file)
    guard isWritten, rename(draft, path) == 0 else {
      let problem = FileSystem.problem(path, isWritten ? errno : code)
      unlink(draft)
      throw Self.problem(problem)
    }
  }

  private static func problem(_ problem: FileProblem) -> TLSProblem {
    TLSProblem(
      "\(problem.path): \(problem.message)",
      help: problem.kind == .denied
        ? "check the permissions, set XDG_CONFIG_HOME to a folder of yours, or name files by --cert and --key"
        : problem.help)
  }
}

/// The system's `write`, which the method of the same name hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
