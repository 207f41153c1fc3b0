import Foundation
import Testing
import UnderstudyTLS

struct AppleProfileTests {
  @Test func `a profile has the certificate, and the same identifiers for the same one`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let authority = try CertificateFolder(root.path + "/tls").authority(now: 1_800_000_000).certificate
    let text = try #require(AppleProfile.text(of: authority, name: "Ann & Bob <local>"))
    let profile = try #require(try Self.read(text))
    #expect(profile["PayloadType"] as? String == "Configuration")
    #expect(profile["PayloadDisplayName"] as? String == "Ann & Bob <local>")
    let payload = try #require((profile["PayloadContent"] as? [[String: Any]])?.first)
    #expect(payload["PayloadType"] as? String == "com.apple.security.root")
    let certificate = try #require(payload["PayloadContent"] as? Data)
    let pem = "-----BEGIN CERTIFICATE-----\n\(certificate.base64EncodedString())\n-----END CERTIFICATE-----\n"
    #expect(Certificate.read(pem: Array(pem.utf8)).first?.fingerprint == authority.fingerprint)
    let ids = [profile, payload].compactMap { ($0["PayloadUUID"] as? String).flatMap(UUID.init(uuidString:)) }
    #expect(ids.count == 2 && ids[0] != ids[1])
    #expect(AppleProfile.text(of: authority, name: "Ann & Bob <local>") == text)
  }

  private static func read(_ text: String) throws -> [String: Any]? {
    try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
  }
}
