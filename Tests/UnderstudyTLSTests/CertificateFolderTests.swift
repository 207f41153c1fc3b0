import Foundation
import Testing
import UnderstudyTLS

/// The local certificate authority, and the certificate that it signs.
struct CertificateFolderTests {
  private static let now = 1_800_000_000
  private static let day = 86_400
  private static let names: [SubjectName] = [.name("localhost"), .address("127.0.0.1"), .address("::1")]

  /// A folder that does not exist yet, and is removed with what is in it.
  private final class Temporary {
    let folder: CertificateFolder
    private let root: URL

    init() {
      root = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
      folder = CertificateFolder(root.path + "/understudy/tls")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func mode(_ name: String = "") throws -> Int {
      let path = name.isEmpty ? folder.path : folder.path + "/" + name
      return try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
  }

  private static func certificate(_ identity: ServerIdentity) throws -> Certificate {
    try #require(Certificate.read(pem: identity.certificates).first)
  }

  @Test func `the folder and its files are for their owner alone`() throws {
    let temporary = Temporary()
    _ = try temporary.folder.identity(for: Self.names, now: Self.now)
    #expect(try temporary.mode() == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path).sorted()
    #expect(files == ["ca-key.pem", "ca.pem", "server-key.pem", "server.pem"])
    for file in files { #expect(try temporary.mode(file) == 0o600, "\(file)") }
  }

  @Test func `the certificate is valid for its names, and for 397 days`() throws {
    let temporary = Temporary()
    let certificate = try Self.certificate(temporary.folder.identity(for: Self.names, now: Self.now))
    #expect(certificate.names == Self.names)
    for name in Self.names { #expect(certificate.isValid(for: name), "\(name)") }
    #expect(!certificate.isValid(for: .name("other.local")))
    #expect(certificate.start < Self.now)
    #expect(certificate.end - certificate.start + 1 == 397 * Self.day)
    let authority = try temporary.folder.authority(now: Self.now).certificate
    #expect(certificate.isSigned(by: authority) && authority.isAuthority && !certificate.isAuthority)
  }

  @Test func `a second server gets the same certificate`() throws {
    let temporary = Temporary()
    let first = try temporary.folder.identity(for: Self.names, now: Self.now)
    #expect(try temporary.folder.identity(for: Self.names, now: Self.now + 366 * Self.day) == first)
  }

  @Test func `a certificate is renewed thirty days before its end, by the same authority`() throws {
    let temporary = Temporary()
    let first = try temporary.folder.identity(for: Self.names, now: Self.now)
    let authority = try temporary.folder.authority(now: Self.now).certificate
    let second = try temporary.folder.identity(for: Self.names, now: Self.now + 368 * Self.day)
    #expect(second != first && second.end > first.end)
    #expect(try Self.certificate(second).isSigned(by: authority))
  }

  @Test func `a certificate for another address keeps the names of the first`() throws {
    let temporary = Temporary()
    _ = try temporary.folder.identity(for: Self.names, now: Self.now)
    let other = SubjectName.address("192.168.1.7")
    _ = try temporary.folder.identity(for: Self.names + [other], now: Self.now)
    let third = try Self.certificate(temporary.folder.identity(for: [.name("studio.local")], now: Self.now))
    #expect(Set(third.names) == Set(Self.names + [other, .name("studio.local")]))
    #expect(third.names.first == .name("studio.local"))
  }

  @Test func `an authority that has ended makes way for another one`() throws {
    let temporary = Temporary()
    let first = try temporary.folder.authority(now: Self.now).certificate
    let later = Self.now + 3_650 * Self.day
    let second = try temporary.folder.authority(now: later).certificate
    #expect(second.fingerprint != first.fingerprint && second.end > later)
  }

  @Test func `a certificate does not outlive its authority`() throws {
    let temporary = Temporary()
    let authority = try temporary.folder.authority(now: Self.now).certificate
    let late = Self.now + 3_600 * Self.day
    #expect(try temporary.folder.identity(for: Self.names, now: late).end == authority.end)
  }

  @Test func `servers that begin at the same time agree on the certificate`() async throws {
    let temporary = Temporary()
    let folder = temporary.folder
    let identities = try await withThrowingTaskGroup(of: ServerIdentity.self) { group in
      for _ in 0..<16 { group.addTask { try folder.identity(for: Self.names, now: Self.now) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(identities.count == 16 && identities.allSatisfy { $0 == identities[0] })
  }

  @Test(arguments: [("ca.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n"), ("ca-key.pem", "")])
  func `a damaged authority is an error, since clients trust it`(file: String, text: String) throws {
    let temporary = Temporary()
    _ = try temporary.folder.authority(now: Self.now)
    try Data(text.utf8).write(to: URL(filePath: temporary.folder.path + "/" + file))
    let problem = #expect(throws: TLSProblem.self) { try temporary.folder.identity(for: Self.names, now: Self.now) }
    #expect(problem?.message.hasSuffix("/ca.pem and its key do not belong together, or are damaged") == true)
    #expect(problem?.help?.contains("understudy tls remove") == true)
    #expect(try temporary.folder.remove().contains { $0.hasSuffix("/ca.pem") })
    _ = try temporary.folder.authority(now: Self.now)
  }

  @Test func `a damaged certificate of a server is replaced`() throws {
    let temporary = Temporary()
    let first = try temporary.folder.identity(for: Self.names, now: Self.now)
    try Data("x".utf8).write(to: URL(filePath: temporary.folder.serverPath))
    #expect(try temporary.folder.identity(for: Self.names, now: Self.now) != first)
  }
}

/// The names that the local authority is limited to.
struct SubjectNameTests {
  @Test(arguments: [
    ("localhost", true), ("app.localhost", true), ("Studio.local", true), ("127.0.0.1", true), ("127.9.9.9", true),
    ("10.1.2.3", true), ("172.16.0.1", true), ("172.31.255.255", true), ("172.32.0.1", false), ("192.168.0.7", true),
    ("169.254.1.1", true), ("[::1]", true), ("::1", true), ("fd12::1", true), ("fe80::1", true), ("2001:db8::1", false),
    ("8.8.8.8", false), ("example.com", false), ("localhost.example.com", false), ("notlocal", false),
  ])
  func `local names and addresses are known`(host: String, isLocal: Bool) throws {
    #expect(try #require(SubjectName(host)).isLocal == isLocal)
  }

  @Test(arguments: ["", ".", "a..b", "a b", "a,DNS:b", "1.2.3", "1.2.3.4.5", "übung.local", "a_b.local"])
  func `other text is no name`(host: String) { #expect(SubjectName(host) == nil) }

  @Test func `an address has one form`() {
    #expect(SubjectName("0:0:0:0:0:0:0:1") == SubjectName("::1"))
  }

  @Test func `a server that listens everywhere is named by its private addresses alone`() {
    #expect(ServerNames(host: "0.0.0.0").local.allSatisfy { $0.isLocal })
    #expect(ServerNames(host: "8.8.8.8").foreign == ["8.8.8.8"])
    #expect(ServerNames(host: "10.0.0.7").local.contains(.address("10.0.0.7")))
  }
}
