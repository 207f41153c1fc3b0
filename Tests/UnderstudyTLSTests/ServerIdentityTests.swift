import Foundation
import Testing
import UnderstudyTLS

/// The files of `--cert`, `--key` and `--client-ca`.
struct ServerIdentityTests {
  private static let now = 1_800_000_000
  private static let day = 86_400

  /// Files with names, which are removed with their folder.
  private final class Files {
    private let root = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: root) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
      let file = root.appending(path: name)
      try Data(bytes).write(to: file)
      return file.path
    }

    func path(_ name: String) -> String { root.appending(path: name).path }
  }

  private static func identity(start: Int = now - day, end: Int = now + 30 * day) throws -> ServerIdentity {
    try CertificateFolder.identity(for: [.name("localhost")], by: nil, now: now, start: start, end: end)
  }

  private static func problem(_ certificate: [UInt8], _ key: [UInt8]) throws -> String {
    let files = try Files()
    let (cert, key) = (try files.write(certificate, "cert.pem"), try files.write(key, "key.pem"))
    do throws(TLSProblem) {
      _ = try ServerIdentity.read(certificate: cert, key: key, now: now)
      return ""
    } catch {
      let text = error.message + (error.help.map { "; \($0)" } ?? "")
      return text.replacing(files.path("cert.pem"), with: "CERT").replacing(files.path("key.pem"), with: "KEY")
    }
  }

  @Test func `a certificate and its key are read`() throws {
    let identity = try Self.identity()
    #expect(try Self.problem(identity.certificates, identity.key) == "")
  }

  @Test func `text that is no certificate is reported`() throws {
    #expect(
      try Self.problem(Array("hello".utf8), Self.identity().key)
        == "`--cert CERT` holds no certificate; expected PEM: -----BEGIN CERTIFICATE-----; from DER: openssl x509 -inform der -in CERT"
    )
  }

  @Test func `text that is no key is reported`() throws {
    let identity = try Self.identity()
    #expect(
      try Self.problem(identity.certificates, identity.certificates)
        == "`--key KEY` holds no private key; expected PEM: -----BEGIN PRIVATE KEY-----")
  }

  @Test func `a key with a passphrase is reported`() throws {
    let key = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n"
    #expect(
      try Self.problem(Self.identity().certificates, Array(key.utf8))
        == "the key of `--key KEY` needs a passphrase; remove it: openssl pkey -in KEY -out key.pem")
  }

  @Test func `the key of another certificate is reported`() throws {
    #expect(
      try Self.problem(Self.identity().certificates, Self.identity().key)
        == "the key of `--key KEY` is not that of the first certificate of `--cert CERT` (O = Understudy, CN = localhost); name the key that the certificate was made for"
    )
  }

  @Test func `a chain that begins with the authority is reported`() throws {
    let (first, own) = (try Self.identity(), try Self.identity())
    #expect(
      try Self.problem(first.certificates + own.certificates, own.key)
        .hasSuffix("; the certificate of the server comes first, then those that have signed it"))
  }

  @Test func `a certificate that has ended is reported with its last day`() throws {
    let identity = try Self.identity(start: Self.now - 9 * Self.day, end: Self.now - 1)
    #expect(
      try Self.problem(identity.certificates, identity.key)
        == "the certificate of `--cert CERT` (O = Understudy, CN = localhost) has expired on 2027-01-15; renew it; `--tls-fault expired` serves an expired one on purpose"
    )
  }

  @Test func `a missing file is reported with its option`() throws {
    let problem = #expect(throws: TLSProblem.self) {
      try ServerIdentity.read(certificate: "/none/cert.pem", key: "/none/key.pem", now: Self.now)
    }
    #expect(problem?.message == "`--cert /none/cert.pem`: no such file or folder")
  }

  @Test func `the certificate of a server is no authority for clients`() throws {
    let files = try Files()
    let path = try files.write(Self.identity().certificates, "client-ca.pem")
    let problem = #expect(throws: TLSProblem.self) { try ServerIdentity.readAuthorities(path, now: Self.now) }
    #expect(problem?.message.contains("is not one of a certificate authority") == true)
  }

  @Test func `an authority for clients that has ended is reported`() throws {
    let files = try Files()
    let authority = try CertificateProfile.authority("Old", now: Self.now - 3_651 * Self.day)
      .certificate(of: PrivateKey(), signedBy: nil)
    let path = try files.write(try #require(authority.pem), "client-ca.pem")
    let problem = #expect(throws: TLSProblem.self) { try ServerIdentity.readAuthorities(path, now: Self.now) }
    #expect(problem?.message.contains("has expired on") == true)
  }
}

/// The names of faults below HTTP.
struct TLSFaultTests {
  @Test(arguments: TLSFault.all.map(\.name)) func `each fault is read by its name`(name: String) throws {
    #expect(try TLSFault(name) == TLSFault.all.first { $0.name == name }?.fault)
  }

  @Test func `a slow handshake takes a time`() throws {
    #expect(try TLSFault("slow-handshake=2s") == .slowHandshake(.seconds(2)))
  }

  @Test(arguments: [
    ("expird", "`expird` is not a fault of `--tls-fault`", "did you mean `expired`?"),
    (
      "expired=2s", "`expired=2s`: the fault `expired` takes no time", "only slow-handshake does: slow-handshake=2s"
    ),
    (
      "slow-handshake=soon", "`slow-handshake=soon`: `soon` is not a duration",
      "expected 500ms, 2s or 1m, as in slow-handshake=2s"
    ),
  ])
  func `an unknown fault, or a time that is not one, is reported`(text: String, message: String, help: String) {
    let problem = #expect(throws: TLSProblem.self) { try TLSFault(text) }
    #expect(problem?.message == message && problem?.help == help)
  }
}

/// What `understudy tls trust` prints.
struct TrustGuideTests {
  @Test(arguments: TrustGuide.all("/home/ann/a b/ca.pem")) func `each guide has something to do`(guide: TrustGuide) {
    #expect(!guide.notes.isEmpty || !guide.lines.isEmpty)
    // A path with a blank is one word of a shell.
    for line in guide.lines where line.contains("a b") { #expect(line.contains("'/home/ann/a b/ca.pem'"), "\(line)") }
  }
}
