import Crypto
import CryptoExtras
import Foundation
import TestSupport
import Testing

/// Where keys come from: PEM files and key sets, good and bad ones, and ones that change.
struct KeyReaderTests {
  private static func number(_ data: some DataProtocol) -> String { TokenSigner.base64(Data(data)) }

  private static func webKey(_ key: P256.Signing.PublicKey, _ more: String = "") -> String {
    let point = key.rawRepresentation
    return """
      {"kty": "EC", "crv": "P-256", "x": "\(number(point.prefix(32)))", "y": "\(number(point.suffix(32)))"\(more)}
      """
  }

  @Test func `a key set gives the key that a token names`() throws {
    let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let numbers = try rsa.publicKey.getKeyPrimitives()
    let old = P256.Signing.PrivateKey()
    let new = P256.Signing.PrivateKey()
    let edwards = Curve25519.Signing.PrivateKey()
    let keySet = """
      {"keys": [
        {"kty": "RSA", "kid": "r", "alg": "RS256", "use": "sig",
         "n": "\(Self.number(numbers.modulus))", "e": "\(Self.number(numbers.publicExponent))"},
        \(Self.webKey(old.publicKey, ", \"kid\": \"old\"")),
        \(Self.webKey(new.publicKey, ", \"kid\": \"new\"")),
        {"kty": "OKP", "crv": "Ed25519", "kid": "o", "x": "\(Self.number(edwards.publicKey.rawRepresentation))"},
        {"kty": "oct", "kid": "s", "k": "c2VjcmV0"},
        {"kty": "RSA", "kid": "r", "use": "enc", "n": "", "e": ""},
        {"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"},
        {"kty": "PQ", "kid": "later"}
      ]}
      """
    let ed25519 = TokenSigner(algorithm: "EdDSA", key: "", files: [:]) { try edwards.signature(for: $0) }
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

  @Test func `a changed key counts at once, and a broken one leaves the last good state`() throws {
    let old = TokenSigner.es256()
    let new = TokenSigner.es256()
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

  static let unusable = [
    Unusable(
      key: "{algorithm: RS256, pem: none.pem}",
      message: "understudy.yaml:2:39: error: the key `none.pem`: no such file or folder [config.unreadable]"),
    Unusable(
      key: "{algorithm: RS256, pem: a.pem}",
      files: ["a.pem": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"],
      message: "error: `a.pem` holds no public key for RS256 [config.invalid]"),
    Unusable(
      key: "{algorithm: RS256, pem: a.pem}", files: ["a.pem": P256.Signing.PrivateKey().publicKey.pemRepresentation],
      message: "error: `a.pem` holds no public key for RS256 [config.invalid]"),
    Unusable(
      key: "{algorithm: ES384, pem: a.pem}", files: ["a.pem": P256.Signing.PrivateKey().publicKey.pemRepresentation],
      message: "error: `a.pem` holds no public key for ES384 [config.invalid]"),
    Unusable(
      key: "{algorithm: ES256, pem: a.pem}", files: ["a.pem": P256.Signing.PrivateKey().pemRepresentation],
      message: "error: `a.pem` holds a private key [config.invalid]"),
    Unusable(
      key: "{algorithm: ES256, pem: a.pem}", files: ["a.pem": "-----BEGIN CERTIFICATE-----"],
      message: "error: `a.pem` holds a certificate [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": ["], message: "a.json:1:11: error: "),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"kty\": \"RSA\"}"],
      message: "a.json:1:1: error: a key set has a list of `keys` [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": [{\"kty\": \"RSA\", \"n\": \"AQAB\"}]}"],
      message: "a.json:1:11: error: this RSA key cannot be used: `e` must be base64url [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": [{\"kty\": \"RSA\", \"n\": \"AQAB\", \"e\": \"AQAB\"}]}"],
      message: "a.json:1:11: error: this RSA key cannot be used: its numbers make no key [config.invalid]"),
    Unusable(
      key: "{jwks: a.json}", files: ["a.json": "{\"keys\": [{\"kty\": \"PQ\"}]}"],
      message: "error: no key of `a.json` verifies signatures [config.invalid]"),
    Unusable(
      key: "{jwks: a.json, algorithm: ES256}", files: ["a.json": "{\"keys\": [{\"kty\": \"oct\", \"k\": \"AAAA\"}]}"],
      message: "error: no key of `a.json` verifies ES256 [config.invalid]"),
  ]

  @Test(arguments: unusable) func `a key that cannot be used is told before anything is served`(
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
