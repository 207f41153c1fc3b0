import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// `record --draft` from the traffic of our own mock, measured by other traffic.
struct DraftTrafficTests {
  static let museum = "Redocly+museum-openapi-example/openapi.yaml"

  /// The recording of a run of generated requests against a mock whose answers have another seed.
  private func traffic(_ contract: String, seed: String, in folder: String) throws -> String {
    let har = "\(seed).har"
    let mock = try ServedMock([contract, "--dynamic", "--seed", seed, "--har", har], in: folder)
    let run = try Command.run(
      "verify", contract, "--live", mock.url, "--allow-unsafe", "--mode", "positive", "--seed", seed, in: folder)
    #expect(mock.end().code == 0)
    #expect([0, 1].contains(run.code), "\(run.error)")
    return har
  }

  @Test(arguments: ["specs/petstore.yaml", "specs/slp.yaml", Corpora.isPresent ? museum : nil].compactMap(\.self))
  func `a draft from one run accepts another run`(_ file: String) throws {
    let text = try String(
      contentsOfFile: file == Self.museum ? Corpora.path(file) : Project.path(file), encoding: .utf8)
    try withProject(["real.yaml": text]) { folder in
      let first = try traffic("real.yaml", seed: "one", in: folder)
      let second = try traffic("real.yaml", seed: "two", in: folder)
      let drafted = try Command.run("record", "--from", first, "--draft", "draft.yaml", in: folder)
      #expect(drafted.code == 0, "\(drafted.error)")
      let lint = try Command.run("lint", "draft.yaml", in: folder)
      #expect(lint.code == 0)
      #expect((lint.output + lint.error).contains("0 errors, 0 warnings"), "\(lint.output)\(lint.error)")

      let contract = try #require(Contract.load(folder + "/draft.yaml", fixtures: folder + "/fixtures").contract)
      let validator = TrafficValidator(
        [contract.compiled], rules: RuleSettings(), scope: TrafficScope([contract.api]))
      // Every operation that was called is in the draft.
      let called = try entries(folder + "/" + first)
      #expect(called.allSatisfy { if case .missed = validator.validate($0, isOwn: true) { false } else { true } })
      let all = try entries(folder + "/" + second)
      let invalid = all.filter { !isValid($0, validator) }
      let share = Double(all.count - invalid.count) / Double(max(all.count, 1))
      print("\(file): \(all.count - invalid.count) of \(all.count) exchanges fit the draft")
      #expect(share >= 0.95, "\(invalid.map { "\($0.method) \($0.url) \($0.status)" })")
    }
  }

  private func isValid(_ entry: Exchange, _ validator: TrafficValidator) -> Bool {
    guard case .validated(let exchange) = validator.validate(entry, isOwn: true) else { return false }
    return exchange.request.isValid && exchange.answer.isValid
  }

  private func entries(_ path: String) throws -> [Exchange] {
    let file = try HARFile(path)
    return try (0..<file.count).map { try file.entry($0) }
  }
}
