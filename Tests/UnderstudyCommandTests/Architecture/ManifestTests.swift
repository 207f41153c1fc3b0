import Foundation
import Testing
import UnderstudyTestSupport

/// Package.swift, as packages that depend on this one read it.
struct ManifestTests {
  /// The targets with a flag, by default with unsafe flags, which SwiftPM refuses in a dependency.
  private static func targets(_ environment: String..., flag: String = "unsafeFlags") throws -> [String] {
    try withTemporaryFolder { folder in
      let dump = ["swift", "package", "--package-path", Project.path("."), "--scratch-path", folder, "dump-package"]
      let result = try Command.run(
        "/usr/bin/env", ["-u", "UNDERSTUDY_OPTIMIZE", "-u", "UNDERSTUDY_STRICT"] + environment + dump, in: folder)
      let manifest = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result)")
      let targets = try #require(manifest["targets"] as? [[String: Any]])
      return targets.filter { "\($0["settings"] ?? "")".contains(flag) }.compactMap { $0["name"] as? String }
    }
  }

  @Test func `a package that depends on this one meets no unsafe flags`() throws {
    #expect(try Self.targets().isEmpty)
  }

  @Test func `a package that depends on this one treats no warning as an error, and make test every one`() throws {
    #expect(try Self.targets(flag: "treatAllWarnings").isEmpty)
    #expect(try Self.targets("UNDERSTUDY_STRICT=1", flag: "treatAllWarnings").contains("UnderstudyClient"))
    let makefile = try Project.text("Makefile")
    #expect(makefile.contains("\ntest check mutants: export UNDERSTUDY_STRICT := $(if $(TEST_FLAGS),1)\n"))
    #expect(try Project.text(".ci/run").contains("UNDERSTUDY_STRICT=1"))
  }

  @Test func `make serve optimizes the server for size and other commands not at all`() throws {
    #expect(
      try Self.targets("UNDERSTUDY_OPTIMIZE=server", flag: "-Osize") == [
        "UnderstudyJSON", "UnderstudyContract", "UnderstudySockets", "UnderstudyExchange", "UnderstudyFixtures",
        "UnderstudyMock", "UnderstudyServer",
      ])
    #expect(
      try Self.targets("UNDERSTUDY_OPTIMIZE=server", flag: "-Onone") == [
        "UnderstudyReport", "UnderstudyVerification", "UnderstudyRecording", "UnderstudyConsole", "UnderstudyCommand",
      ])
    let makefile = try Project.text("Makefile")
    #expect(makefile.contains("\nserve: export UNDERSTUDY_OPTIMIZE := server\n"))
    #expect(makefile.matches(of: /UNDERSTUDY_OPTIMIZE/).count == 2)
  }

  @Test func `make test optimizes the schema engine`() throws {
    #expect(try Self.targets("UNDERSTUDY_OPTIMIZE=engine") == ["UnderstudyText", "UnderstudySchema"])
  }
}
