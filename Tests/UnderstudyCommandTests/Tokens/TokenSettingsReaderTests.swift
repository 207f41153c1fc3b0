import Testing
import UnderstudyTestSupport

/// The values of `tokens`, and the messages for mistakes.
struct TokenSettingsReaderTests {
  struct Slip: Sendable, CustomTestStringConvertible {
    var tokens: String
    var message: String
    var help: String

    init(_ tokens: String, _ message: String, _ help: String = "") {
      self.tokens = tokens
      self.message = message
      self.help = help
    }

    var testDescription: String { tokens }
  }

  static let slips = [
    Slip("yes please", "2:9: error: expected a mapping, as in `tokens: {check: true}`, found string"),
    Slip("{chek: true}", "2:10: error: unknown key `chek` [config.unknown-key]", "did you mean `check`?"),
    Slip("{check: perhaps}", "2:17: error: expected `true` or `false`, found string"),
    Slip("{leeway: 60}", "2:18: error: expected a duration of at most an hour"),
    Slip("{leeway: 2 weeks}", "2:18: error: expected a duration of at most an hour"),
    Slip("{schemes: idtoken}", "2:19: error: expected a list of security schemes, found string"),
    Slip("{schemes: [idtokn]}", "2:20: error: `tokens` names the security scheme `idtokn`", "did you mean `idtoken`?"),
    Slip("{key: hush}", "2:15: error: expected a mapping, as in `{algorithm: RS256, pem: public.pem}`"),
    Slip("{key: {}}", "2:15: error: expected one of `secret`, `secret-env`, `pem` and `jwks`, found 0"),
    Slip("{key: {algorithm: HS256, secret: a, pem: b}}", "2:15: error: expected one of `secret`, `secret-env`, `pem`"),
    Slip(
      "{key: {algorithm: HS256, secretEnv: A}}", "2:34: error: unknown key `secretEnv`", "did you mean `secret-env`?"),
    Slip("{key: {secret: hush}}", "2:15: error: `algorithm` is missing"),
    Slip(
      "{key: {algorithm: rs256, pem: a.pem}}", "error: `rs256` is not a signature algorithm", "did you mean `RS256`?"),
    Slip(
      "{key: {algorithm: none, secret: hush}}", "2:27: error: `none` is not a signature algorithm", "known: HS256, "),
    Slip(
      "{key: {algorithm: HS256, pem: a.pem}}", "2:34: error: HS256 does not use `pem`", "it uses a shared secret"),
    Slip("{key: {algorithm: RS256, secret: hush}}", "error: RS256 does not use `secret`", "it uses a public key"),
    Slip("{key: {algorithm: HS256, secret: \"\"}}", "2:42: error: expected text, found none"),
    Slip(
      "{key: {algorithm: HS256, secret-env: NOT_SET_ANYWHERE}}",
      "2:46: error: the environment variable `NOT_SET_ANYWHERE` is not set"
    ),
  ]

  @Test(arguments: slips) func `a mistake is reported with its place`(_ slip: Slip) throws {
    let files = [
      "guarded.yaml": Guarded.contract,
      "understudy.yaml": "contracts: [guarded.yaml]\ntokens: \(slip.tokens)\nport: 0\n",
    ]
    try withProject(files) { folder in
      let result = try Command.run("serve", in: folder)
      #expect(result.code == 2)
      #expect(result.error.contains(slip.message), "\(result.error)")
      #expect(result.error.contains(slip.help), "\(result.error)")
    }
  }

  @Test func `a secret may be in the environment`() throws {
    let signer = TokenSigner.hs256("kept elsewhere")
    let files = [
      "guarded.yaml": Guarded.contract,
      "understudy.yaml": "contracts: [guarded.yaml]\ntokens: {key: {algorithm: HS256, secret-env: TOKEN_SECRET}}\n",
    ]
    try withProject(files) { folder in
      let mock = try ServedMock([], in: folder, environment: ["TOKEN_SECRET": "kept elsewhere"])
      defer { mock.stop() }
      #expect(try mock.status(bearer: signer.token("{}")) == 204)
      #expect(try mock.status(bearer: TokenSigner.hs256("guessed").token("{}")) == 403)
      let doctor = try Command.run("doctor", "--port", "0", in: folder, environment: ["TOKEN_SECRET": "kept elsewhere"])
      #expect(doctor.output.contains("ok  tokens      `exp`, `nbf` and the signature are checked\n"))
      #expect(doctor.code == 0)
    }
  }
}
