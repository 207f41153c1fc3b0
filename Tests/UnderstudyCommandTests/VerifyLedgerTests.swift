import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy verify --live URL --ledger FILE`.
@Suite(.waitsForProcesses)
struct VerifyLedgerTests {
  private static let petstore = Project.path("specs/petstore.yaml")

  @Test func `a live run writes every exchange to a file that only its owner reads`() throws {
    let mock = try ServedMock([Self.petstore, "--quiet", "--no-watch"])
    try withTemporaryFolder { folder in
      let path = "\(folder)/run.ndjson"
      for _ in 1...2 {
        let result = try Command.run(
          "verify", "--live", mock.url, "--ledger", path, Self.petstore)
        #expect(result.code == 0, "\(result.output)\(result.error)")
      }
      let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(permissions == 0o600)
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(lines.first?.hasPrefix(#"{"ledger":1,"target":""#) == true, "\(lines.first ?? "")")
      #expect(lines.dropFirst().first?.hasPrefix(#"{"number":1,"kind":""#) == true, "\(lines)")
    }
  }

  @Test(
    arguments: [
      (["--ledger", "x"], "error: `--ledger` needs a server"),
      (["--live", "http://127.0.0.1:1", "--ledger", "/nonexistent/x"], "the folder /nonexistent does not exist"),
      (["--live", "http://127.0.0.1:1", "--ledger", "/"], "`--ledger /` names a folder; expected a file"),
      (
        ["--live", "http://127.0.0.1:1", "--ledger", Project.path("specs/petstore.yaml")],
        "would replace"
      ),
      (
        ["--live", "http://127.0.0.1:1", "--ledger", "x", "--report", "json=x"],
        "`--ledger x` and `--report json=x` are the same file"
      ),
    ] as [([String], String)])
  func `a ledger that cannot be written is a usage error`(options: [String], message: String) throws {
    let result = try Command.run(Command.path, ["verify", Self.petstore] + options)
    #expect(result.code == 2, "\(result.output)\(result.error)")
    #expect(result.error.contains(message), "\(result.error)")
  }
}
