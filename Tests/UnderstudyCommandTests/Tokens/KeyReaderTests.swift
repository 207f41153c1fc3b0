import Foundation
import Testing
import UnderstudyTestSupport

/// Where keys come from: PEM files and key sets, good and bad ones, and ones that change.
@Suite(.waitsForProcesses)
struct KeyReaderTests {
  private static func webKey(_ key: SigningKey, _ more: String = "") throws -> String {
    let (x, y) = (TokenSigner.base64(try key.number("qx")), TokenSigner.base64(try key.number("qy")))
    return "{\"kty\": \"EC\", \"crv\": \"P-256\", \"x\": \"\(x)\", \"y\": \"\(y)\"\(more)}"
  }

  @Test func `a key set gives the key that a token names`() throws {
    let rsa = try SigningKey.rsa()
    let old = try SigningKey.p256()
    let new = try SigningKey.p256()
    let edwards = try SigningKey.ed25519()
    let keySet = try """
    {"keys": [
      {"kty": "RSA", "kid": "r", "alg": "RS256", "use": "sig",
       "n": "\(TokenSigner.base64(rsa.number("n")))", "e": "\(TokenSigner.base64(rsa.number("e")))"},
      \(Self.webKey(old, ", \"kid\": \"old\"")),
      \(Self.webKey(new, ", \"kid\": \"new\"")),
      {"kty": "OKP", "crv": "Ed25519", "kid": "o", "x": "\(TokenSigner.base64(edwards.bytes()))"},
      {"kty": "oct", "kid": "s", "k": "c2VjcmV0"},
      {"kty": "RSA", "kid": "r", "use": "enc", "n": "", "e": ""},
      {"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"},
      {"kty": "PQ", "kid": "later"}
    ]}
    """
    let ed25519 = TokenSigner(algorithm: "EdDSA", key: "", files: [:]) { try edwards.signature(of: $0, nil) }
    let tokens: [(token: String, status: Int)] = [
      (try TokenSigner.rs256(rsa).token("{}", header: ",\"kid\":\"r\""), 204),
      (try TokenSigner.rs256(rsa).token("{}"), 204),
      (try TokenSigner.es256(old).token("{}", header: ",\"kid\":\"old\""), 204),
      (try TokenSigner.es256(new).token("{}", header: ",\"kid\":\"new\""), 204),
      (try TokenSigner.es256(new).token("{}"), 204),
      (try TokenSigner.es256(new).token("{}", header: ",\"kid\":\"old\""), 403),
      (try TokenSigner.es256(new).token("{}", header: ",\"kid\":\"r\""), 403),
      (try TokenSigner.es256(new).token("{}", header: ",\"kid\":7"), 403),
      (try TokenSigner.hs256("secret").token("{}", header: ",\"kid\":\"s\""), 204),
      (try ed25519.token("{}", header: ",\"kid\":\"o\""), 204),
      (try ed25519.token("{}", wholeHeader: "{\"alg\":\"Ed25519\",\"kid\":\"o\"}"), 204),
    ]
    try Guarded.serving(tokens: "{key: {jwks: keys.json}}", ["keys.json": keySet]) { mock, _ throws in
      for (index, (token, status)) in tokens.enumerated() {
        #expect(try mock.status(bearer: token) == status, "\(index)")
      }
    }
  }

  @Test func `a changed key is used at once, and an invalid one keeps the last state`() throws {
    let old = TokenSigner.es256(try .p256())
    let new = TokenSigner.es256(try .p256())
    try Guarded.serving(tokens: "{key: \(old.key)}", old.files) { mock, folder throws in
      #expect(try mock.status(bearer: old.token("{}")) == 204)
      try write(new.files, in: folder)
      #expect(mock.waits(for: "reloaded after a change of keys/public.pem\n"), "\(mock.printed)")
      #expect(try mock.status(bearer: old.token("{}")) == 403)
      #expect(try mock.status(bearer: new.token("{}")) == 204)
      try write(["keys/public.pem": "oops"], in: folder)
      #expect(mock.waits(for: "not reloaded after a change of keys/public.pem"), "\(mock.printed)")
      #expect(try mock.status(bearer: new.token("{}")) == 204)
      try write(old.files, in: folder)
      #expect(mock.waits(for: "\nreloaded after a change of keys/public.pem\n", count: 2), "\(mock.printed)")
      #expect(try mock.status(bearer: old.token("{}")) == 204)
    }
  }

  struct Unusable: Sendable, CustomTestStringConvertible {
    var key: String
    var files: [String: String] = [:]
    var message: String
    var testDescription: String { message }
  }

  /// What shows that a key is private stands in its first line.
  private static let privateKey = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"

  static let unusable = [
    Unusable(
      key: "{algorithm: RS256, pem: none.pem}",
      message: "understudy.yaml:2:39: error: the key `none.pem`: no such file or folder [config.unreadable]"),
    Unusable(
      key: "{algorithm: RS256, pem: a.pem}",
      files: ["a.pem": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"],
      message: "error: `a.pem` has no public key for RS256 [config.invalid]"),
    Unusable(
      key: "{algorithm: RS256, pem: a.pem}", files: ["a.pem": SignedTokens.p256],
      message: "error: `a.pem` has no public key for RS256 [config.invalid]"),
    Unusable(
      key: "{algorithm: ES384, pem: a.pem}", files: ["a.pem": SignedTokens.p256],
      message: "error: `a.pem` has no public key for ES384 [config.invalid]"),
    Unusable(
      key: "{algorithm: ES256, pem: a.pem}", files: ["a.pem": privateKey],
      message: "error: `a.pem` has a private key [config.invalid]"),
    Unusable(
      key: "{algorithm: ES256, pem: a.pem}", files: ["a.pem": "-----BEGIN CERTIFICATE-----"],
      message: "error: `a.pem` has a certificate [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": ["], message: "a.json:1:11: error: "),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"kty\": \"RSA\"}"],
      message: "a.json:1:1: error: expected a key set with a list of `keys` [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": [{\"kty\": \"RSA\", \"n\": \"AQAB\"}]}"],
      message: "a.json:1:11: error: this RSA key cannot be used: `e` must be base64url [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": [{\"kty\": \"RSA\", \"n\": \"AQAB\", \"e\": \"AQAB\"}]}"],
      message: "a.json:1:11: error: this RSA key cannot be used: its numbers are not a valid key [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": [{\"kty\": \"PQ\"}]}"],
      message: "error: no key of `a.json` can verify signatures [config.invalid]"),
    Unusable(
      key: "{jwks: a.json, algorithm: ES256}", files: ["a.json": "{\"keys\": [{\"kty\": \"oct\", \"k\": \"AAAA\"}]}"],
      message: "error: no key of `a.json` can verify ES256 [config.invalid]"),
  ]

  @Test(arguments: unusable) func `an invalid key is reported before the start`(
    _ input: Unusable
  ) throws {
    let files = [
      "guarded.yaml": Guarded.contract,
      "understudy.yaml": "contracts: [guarded.yaml]\ntokens: {key: \(input.key)}\nport: 0\n",
    ]
    try withProject(files.merging(input.files) { first, _ in first }) { folder in
      let served = try Command.run("serve", in: folder)
      #expect(served.code == 3)
      #expect(served.error.contains(input.message), "\(served.error)")
      let doctor = try Command.run("doctor", in: folder)
      #expect(doctor.code == 1)
      #expect(doctor.output.contains("no  tokens      the key cannot be used\n"), "\(doctor.output)")
    }
  }
}
