import Foundation
import Testing
import UnderstudyTestSupport

/// Package.swift, as packages that depend on this one read it.
struct ManifestTests {
  private static func dump(_ environment: [String] = []) throws -> [[String: Any]] {
    try withTemporaryFolder { folder in
      let dump = ["swift", "package", "--package-path", Project.path("."), "--scratch-path", folder, "dump-package"]
      let result = try Command.run(
        "/usr/bin/env", ["-u", "UNDERSTUDY_OPTIMIZE", "-u", "UNDERSTUDY_STRICT"] + environment + dump, in: folder)
      let manifest = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result)")
      return try #require(manifest["targets"] as? [[String: Any]])
    }
  }

  /// The targets with a flag, by default with unsafe flags, which SwiftPM refuses in a dependency.
  private static func targets(_ environment: String..., flag: String = "unsafeFlags") throws -> [String] {
    try dump(environment).filter { "\($0["settings"] ?? "")".contains(flag) }.compactMap { $0["name"] as? String }
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
        "UnderstudyJSON", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudySockets",
        "UnderstudyExchange", "UnderstudyFixtures", "UnderstudyMock", "UnderstudyServer",
      ])
    #expect(
      try Self.targets("UNDERSTUDY_OPTIMIZE=server", flag: "-Onone") == [
        "UnderstudyDiff", "UnderstudyReport", "UnderstudyVerification", "UnderstudyRecording", "UnderstudyImport",
        "UnderstudyStore", "UnderstudyConsole", "UnderstudyCommand",
      ])
    let makefile = try Project.text("Makefile")
    #expect(makefile.contains("\nserve: export UNDERSTUDY_OPTIMIZE := server\n"))
    #expect(makefile.matches(of: /UNDERSTUDY_OPTIMIZE/).count == 2)
  }

  @Test func `make test optimizes the schema engine`() throws {
    #expect(try Self.targets("UNDERSTUDY_OPTIMIZE=engine") == ["UnderstudyText", "UnderstudySchema"])
  }

  /// The compiler finds a module that was built before, so a missing dependency fails only in some orders of a build.
  @Test func `each target depends on the modules of this package that its files import`() throws {
    let targets = try Self.dump()
    var direct: [String: [String]] = [:]
    for target in targets {
      let dependencies = try #require(target["dependencies"] as? [[String: [Any]]])
      direct[try #require(target["name"] as? String)] = dependencies.compactMap { $0.values.first?.first as? String }
    }
    var imports = 0
    var missing: [String] = []
    for target in targets {
      let name = try #require(target["name"] as? String)
      var reachable: Set = [name]
      var open = [name]
      while let next = open.popLast() {
        for dependency in direct[next] ?? [] where reachable.insert(dependency).inserted { open.append(dependency) }
      }
      let parent = name.hasSuffix("Tests") ? "Tests" : target["type"] as? String == "plugin" ? "Plugins" : "Sources"
      let root = Project.path(target["path"] as? String ?? "\(parent)/\(name)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() where path.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        let pattern = /(?m)^(?:@\w+(?:\(\w+\))? +)*(?:public |package |internal )?import (?:\w+ )?(\w+)/
        for module in text.matches(of: pattern).map({ String($0.1) }) where direct[module] != nil {
          imports += 1
          if !reachable.contains(module) { missing.append("\(name)/\(path) imports \(module)") }
        }
      }
    }
    #expect(missing.isEmpty)
    #expect(imports > 1000)
  }
}
