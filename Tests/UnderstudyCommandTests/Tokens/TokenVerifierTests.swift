import Foundation
import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Tokens held against a key and a clock, by a live server.
struct TokenVerifierTests {
  @Test(arguments: ["HS256", "RS256", "ES256"])
  func `a good token is let in, and every other is refused with the reason`(algorithm: String) throws {
    let signer = try TokenSigner.new(algorithm)
    let good = try signer.token("{\"exp\":\(TokenSigner.time(inMinutes: 60))}")
    let parts = good.split(separator: ".").map(String.init)
    let other = try signer.token("{\"sub\":\"somebody else\"}").split(separator: ".").map(String.init)
    let secret = TokenSigner.hs256(signer.files.values.first ?? "no file")
    let refused: [(token: String, reason: String)] = [
      (try signer.token("{\"exp\":\(TokenSigner.time(inMinutes: -60))}"), "the token expired at "),
      (try signer.token("{\"nbf\":\(TokenSigner.time(inMinutes: 60))}"), "the token is not valid before "),
      ("\(parts[0]).\(other[1]).\(parts[2])", "the token's signature does not match the configured key"),
      (try TokenSigner.new(algorithm).token("{}"), "the token's signature does not match the configured key"),
      ("\(parts[0]).\(parts[1]).AAAA", "the token's signature does not match the configured key"),
      ("\(parts[0]).\(parts[1]).~~~~", "the token's signature is not base64url"),
      ("\(parts[0]).\(parts[1]).", "the token is not signed"),
      (try signer.token("{}", wholeHeader: "{\"alg\":\"none\"}"), "the token is not signed"),
      (try signer.token("{}", wholeHeader: "{\"alg\":\"NonE\"}"), "the token is not signed"),
      (try signer.token("{}", wholeHeader: "{\"alg\":\"HS1\"}"), "the token's `alg` is unknown"),
      (try signer.token("{}", header: ",\"crit\":[\"b64\"],\"b64\":false"), "the token's header has `crit`"),
      ("\(parts[0]).\(parts[1])", "the token has 2 parts, expected 3"),
      ("eyJ\(parts[0]).\(parts[1]).\(parts[2])", "the token's first part is not a JSON object in base64url"),
      ("\(parts[0]).e30x.\(parts[2])", "the token's second part is not a JSON object in base64url"),
      // A verifier that takes the public key for a shared secret accepts forged tokens.
      (
        algorithm == "HS256"
          ? try TokenSigner.es256(.p256()).token("{}") : try secret.token("{}"),
        "the configured keys are for \(algorithm)"
      ),
    ]
    try Guarded.serving(tokens: "{key: \(signer.key)}", signer.files) { mock, _ throws in
      #expect(try mock.status(idToken: good) == 204)
      #expect(try mock.status(bearer: good) == 204)
      #expect(try mock.status(idToken: signer.token("{}")) == 204)
      for (token, reason) in refused {
        #expect(try mock.status(idToken: token) == 403, "\(reason)")
        #expect(mock.waits(for: reason), "\(reason) is not in\n\(mock.printed)")
      }
      #expect(mock.printed.contains("[req.security.malformed]"))
      let shown = refused.map(\.token).filter { mock.printed.contains($0) }
      #expect(shown == [])
    }
  }

  @Test(arguments: SignedTokens.all) func `signatures of OpenSSL are accepted`(_ vector: SignedTokens.Vector) throws {
    try Guarded.serving(tokens: "{key: \(vector.key)}", ["public.pem": vector.pem]) { mock, _ throws in
      #expect(try mock.status(bearer: vector.token) == 204, "\(mock.printed)")
      #expect(try mock.status(bearer: vector.forged) == 403)
      #expect(mock.waits(for: "the token's signature does not match the configured key"))
    }
  }

  @Test func `one signature has one spelling`() throws {
    let signer = TokenSigner.hs256()
    let token = try signer.token("{}")
    // 32 bytes are 43 characters, of which the last one carries two bits that stand for nothing.
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let last = try #require(token.last.flatMap { alphabet.firstIndex(of: $0) })
    try Guarded.serving(tokens: "{key: \(signer.key)}") { mock, _ throws in
      #expect(try mock.status(idToken: token) == 204)
      #expect(try mock.status(idToken: token.dropLast() + String(alphabet[last + 1])) == 403)
    }
  }

  @Test func `an opaque token passes unless a JSON Web Token is required`() throws {
    let key = TokenSigner.hs256().key
    try Guarded.serving(tokens: "{key: \(key)}") { mock, _ throws in
      #expect(try mock.status(idToken: "opaque") == 204)
      #expect(try mock.status(bearer: "opaque") == 204)
      #expect(try mock.status(bearer: "opaque", "/jwt") == 403)
      #expect(mock.waits(for: "the token is not a JSON Web Token, which `bearerFormat` requires"))
    }
    try Guarded.serving(tokens: "{schemes: [idtoken], key: \(key)}") { mock, _ throws in
      #expect(try mock.status(idToken: "opaque") == 403)
      #expect(try mock.status(bearer: "opaque") == 204)
      #expect(mock.waits(for: "the token is not a JSON Web Token, which `tokens` requires"))
    }
  }

  @Test func `without a key the times are checked, and that there is a signature`() throws {
    let signer = TokenSigner.hs256()
    try Guarded.serving(tokens: "{check: true, leeway: 5m}") { mock, _ throws in
      #expect(try mock.status(idToken: signer.token("{\"exp\":\(TokenSigner.time(inMinutes: -4))}")) == 204)
      #expect(try mock.status(idToken: signer.token("{\"exp\":\(TokenSigner.time(inMinutes: -6))}")) == 403)
      #expect(try mock.status(idToken: signer.token("{}", wholeHeader: "{\"alg\":\"none\"}")) == 403)
    }
    for tokens in ["", "{check: false, key: \(signer.key)}"] {
      let text = tokens.isEmpty ? "" : "\ntokens: \(tokens)"
      let files = ["guarded.yaml": Guarded.contract, "understudy.yaml": "contracts: [guarded.yaml]\(text)\n"]
      try withProject(files) { folder in
        let mock = try ServedMock([], in: folder)
        defer { mock.stop() }
        #expect(try mock.status(idToken: TokenSigner.hs256().token("{\"exp\":1}")) == 204)
        #expect(try mock.status(idToken: "two words") == 403)
      }
    }
  }

  @Test func `SLP answers an expired token with its own 401`() throws {
    let signer = TokenSigner.hs256()
    try withProject(["understudy.yaml": "tokens: {key: \(signer.key)}\n"]) { folder in
      let fixtures = Project.path("fixtures")
      let mock = try ServedMock([Project.path("specs/slp.yaml"), "--fixtures", fixtures], in: folder)
      defer { mock.stop() }
      let expired = try Curl.get(mock.url + "/v1/user", ("idtoken", try signer.token("{\"exp\":1600000000}")))
      #expect(expired.status == 401)
      #expect(expired.headers["understudy-reply"]?.contains("fixture") == true)
      #expect(mock.waits(for: "the token expired at 2020-09-13T12:26:40.000Z"))
      #expect(try Curl.get(mock.url + "/v1/user", ("idtoken", try signer.token("{}"))).status == 200)
    }
  }
}
