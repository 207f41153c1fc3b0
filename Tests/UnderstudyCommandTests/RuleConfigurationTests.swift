import Testing
import UnderstudyTestSupport

/// `rules` and `operations` of `understudy.yaml`.
struct RuleConfigurationTests {
  private func project(_ configuration: String) -> [String: String] {
    Shop.files.merging(["understudy.yaml": "contracts: [shop.yaml]\n" + configuration]) { first, _ in first }
  }

  @Test func `a rule that is off is neither reported nor refused`() throws {
    try withProject(project("rules: {req.param.schema: off}\n")) { folder in
      let mock = try ServedMock([], in: folder)
      #expect(try Curl.get(mock.url + "/pets/one").status == 200)
      #expect(mock.waits(for: "GET /pets/one"))
      #expect(!mock.end().printed.contains("req.param.schema"))
    }
  }

  @Test func `an operation has levels of its own`() throws {
    let configuration =
      "rules: {req.param.undeclared: error}\noperations: {readPet: {rules: {req.param.undeclared: info}}}\n"
    try withProject(project(configuration)) { folder in
      let mock = try ServedMock([], in: folder)
      #expect(try Curl.get(mock.url + "/pets/1?colour=red").status == 200)
      #expect(mock.waits(for: "  info: readPet has no query parameter `colour`"))
      mock.stop()
    }
    try withProject(project("rules: {req.param.undeclared: error}\n")) { folder in
      let mock = try ServedMock([], in: folder)
      #expect(try Curl.get(mock.url + "/pets/1?colour=red").status == 422)
      mock.stop()
    }
  }

  @Test func `an optional rule is asked for by its level`() throws {
    try withProject(project("rules: {req.header.undeclared: warning}\n")) { folder in
      let mock = try ServedMock([], in: folder)
      #expect(try Curl.get(mock.url + "/pets/1", ("X-Colour", "red")).status == 200)
      #expect(mock.waits(for: "warning: readPet declares no header `X-Colour` [req.header.undeclared]"))
      mock.stop()
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var line: String
    var message: String
    var help: String
    var testDescription: String { line }
  }

  static let mistakes = [
    Mistake(
      line: "rules: {↓req.param.undeclard: off}", message: "unknown rule `req.param.undeclard` [config.invalid]",
      help: "did you mean `req.param.undeclared`?"),
    Mistake(
      line: "rules: {↓spec.unparsable: off}",
      message: "the severity of the rule `spec.unparsable` cannot be changed [config.invalid]",
      help: "only rules about requests, answers, events and servers have one: `req.`, `resp.`, `event.`, `prov.` and "
        + "`state.`"),
    Mistake(
      line: "rules: {req.param.undeclared: ↓warn}", message: "`warn` is not a severity [config.invalid]",
      help: "expected off, info, warning, error"),
    Mistake(
      line: "rules: {resp.time: ↓soon}", message: "`soon` is not a severity [config.invalid]",
      help: "expected a limit such as `2s`, or off, info, warning, error"),
    Mistake(
      line: "rules: {req.param.undeclared: ↓eror}", message: "`eror` is not a severity [config.invalid]",
      help: "did you mean `error`?"),
    Mistake(
      line: "operations: {readPet: {↓rule: {}}}", message: "unknown key `rule` [config.unknown-key]",
      help: "did you mean `rules`?"),
    Mistake(
      line: "operations: {↓readPets: {rules: {}}}",
      message: "`operations` names `readPets`, which no contract has [config.invalid]", help: "did you mean `readPet`?"),
  ]

  @Test(arguments: mistakes) func `a mistake is reported with its place and advice`(_ mistake: Mistake) throws {
    let marked = MarkedText(mistake.line)
    let column = try #require(marked.offsets.first) + 1
    try withProject(project(marked.text + "\n")) { folder in
      let result = try Command.run("serve", "--port", "0", in: folder)
      #expect(result.error.hasPrefix("understudy.yaml:2:\(column): error: \(mistake.message)\n"), "\(result.error)")
      #expect(result.error.contains("help: \(mistake.help)\n"), "\(result.error)")
      #expect(result.code == 2)
    }
  }

  @Test func `the flags of Prism equal the policies`() throws {
    try withProject(Shop.files) { folder in
      let strict = try ServedMock(["shop.yaml", "--errors"], in: folder)
      #expect(try Curl.get(strict.url + "/pets/one").status == 422)
      strict.stop()
      let lenient = try ServedMock(["shop.yaml", "--no-errors"], in: folder)
      let answer = try Curl.get(lenient.url + "/pets/one")
      #expect(answer.status == 200)
      #expect(answer.headers["sl-violations"]?.hasPrefix(#"[{"location":["path","id"],"severity":"Error""#) == true)
      lenient.stop()
      let both = try Command.run("serve", "shop.yaml", "--errors", "--on-invalid", "warn", in: folder)
      #expect(both.error.hasPrefix("error: `--errors` and `--on-invalid` exclude each other\n"))
      #expect(both.code == 2)
    }
  }
}
