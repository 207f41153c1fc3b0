import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Files that contracts and fixtures name outside of the project.
@Suite(.ownQueue)
struct FileAccessCommandTests {
  private static func contract(_ content: String) -> String {
    """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          operationId: readPets
          responses:
            "200": {description: OK, content: {text/plain: {\(content)}}}

    """
  }

  private static let example = contract("schema: {type: string}, examples: {e: {externalValue: ../other/secret.txt}}")

  /// `project/api.yaml` beside `other/secret.txt` and `other/secret.yaml`.
  private static func withFolders(
    _ contract: String, _ files: [String: String] = [:], _ body: (_ root: String, _ project: String) throws -> Void
  ) throws {
    let all = ["project/api.yaml": contract, "other/secret.txt": "my secret\n", "other/secret.yaml": "type: string\n"]
    try withProject(all.merging(files) { $1 }) { try body($0, $0 + "/project") }
  }

  @Test(arguments: [
    "schema: {type: string}, examples: {e: {externalValue: ↓../other/secret.txt}}",
    "schema: {type: string}, examples: {e: {externalValue: ↓'%2e%2e/other/secret.txt'}}",
    "schema: {type: string}, examples: {e: {externalValue: ↓../other/missing.txt}}",
    "schema: {type: string}, examples: {e: {externalValue: ↓link.txt}}", "schema: {$ref: ↓../other/secret.yaml}",
    "schema: {$ref: ↓out/secret.yaml}", "examples: {e: {$ref: ↓../other/secret.yaml}}",
  ])
  func `a contract names no file outside of the project`(content: String) throws {
    let marked = MarkedText(Self.contract(content))
    let place = marked.source.position(of: marked.offsets[0])
    try Self.withFolders(marked.text) { root, project in
      try FileManager.default.createSymbolicLink(atPath: project + "/out", withDestinationPath: "../other")
      try FileManager.default.createSymbolicLink(
        atPath: project + "/link.txt", withDestinationPath: "../other/secret.txt")
      let result = try Command.run("lint", "api.yaml", in: project)
      #expect(result.code == 1)
      #expect(result.output.hasPrefix("api.yaml:\(place.line):\(place.column): error: "), "\(result.output)")
      #expect(result.output.contains("outside of the folders of the project [spec.ref.outside]"), "\(result.output)")
      #expect(
        result.output.contains("help: copy it into the project, or allow its folder: `--allow-files \(root)/other`"))
      #expect(!result.output.contains("my secret"))
    }
  }

  @Test func `a mock shows no file outside of the project, and says so at the start`() throws {
    try Self.withFolders(Self.example) { _, project in
      let mock = try ServedMock(["api.yaml"], in: project)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets").body == "text")
      #expect(mock.printed.contains("[spec.ref.outside]"))
    }
  }

  @Test(arguments: ["flag", "environment", "file"])
  func `a folder that is allowed is read`(way: String) throws {
    let settings = way == "file" ? ["project/understudy.yaml": "contracts: api.yaml\nallow-files: ../other\n"] : [:]
    try Self.withFolders(Self.example, settings) { root, project in
      let arguments = way == "flag" ? ["--allow-files", "../other"] : []
      let environment = way == "environment" ? ["UNDERSTUDY_ALLOW_FILES": "\(root)/none-of:../other"] : [:]
      try FileManager.default.createDirectory(atPath: root + "/none-of", withIntermediateDirectories: true)
      let mock = try ServedMock(["api.yaml"] + arguments, in: project, environment: environment)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets").body == "my secret\n")
      let result = try Command.run(
        Command.path, ["lint", "api.yaml"] + arguments, in: project, environment: environment)
      #expect(result.code == 0, "\(result.output)")
    }
  }

  @Test func `a folder that does not exist cannot be allowed`() throws {
    try Self.withFolders(Self.example, ["project/understudy.yaml": "allow-files: [none]\n"]) { _, project in
      let flag = try Command.run("lint", "api.yaml", "--allow-files", "none", in: project + "/..")
      #expect(flag.code == 2)
      #expect(flag.error.contains("`--allow-files none` does not exist: expected a folder"))
      let file = try Command.run("lint", "api.yaml", in: project)
      #expect(file.code == 2)
      #expect(
        file.error.contains("understudy.yaml:1:15: error: there is no folder `none` [config.invalid]"), "\(file.error)")
    }
  }

  @Test func `parts of a monorepo below the working directory are read, and those beside it are not`() throws {
    let contract = Self.contract("schema: {$ref: ../../common/string.yaml}")
    let files = ["services/pets/api.yaml": contract, "common/string.yaml": "type: string\n"]
    try withProject(files) { root in
      #expect(try Command.run("lint", "services/pets/api.yaml", in: root).code == 0)
      #expect(try Command.run("lint", "api.yaml", in: root + "/services/pets").code == 1)
      // The folder of the config file is part of the project too.
      try write(["understudy.yaml": "contracts: services/pets/api.yaml\n"], in: root)
      #expect(try Command.run("lint", in: root + "/services").code == 0)
    }
  }

  @Test func `the working directory is no project if it is the home directory`() throws {
    try Self.withFolders(Self.contract("schema: {$ref: ../other/secret.yaml}")) { root, _ in
      let arguments = ["lint", "project/api.yaml"]
      let outside = try Command.run(Command.path, arguments, in: root)
      let inside = try Command.run(Command.path, arguments, in: root, environment: ["HOME": root])
      #expect(outside.code == 0)
      #expect(inside.code == 1)
    }
  }

  @Test func `a fixture is, or names, no file outside of the project`() throws {
    let files = [
      "project/fixtures/api/readPets/200.a.yaml": "bodyFile: ../../../../other/secret.txt\n",
      "project/fixtures/api/readPets/200.c.yaml": "bodyFile: ../../../body.txt\n", "project/body.txt": "Tom",
    ]
    try Self.withFolders(Self.contract("schema: {type: string}"), files) { root, project in
      let folder = project + "/fixtures/api/readPets"
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/200.b.txt", withDestinationPath: root + "/other/secret.txt")
      let result = try Command.run("verify", "api.yaml", in: project)
      #expect(result.code == 1)
      #expect(result.output.components(separatedBy: "[fixture.outside]").count == 3, "\(result.output)")
      #expect(result.output.contains("fixtures/api/readPets/200.a.yaml:1:11: error: the body file"), "\(result.output)")
      let mock = try ServedMock(["api.yaml"], in: project)
      defer { mock.stop() }
      for name in ["a", "b"] {
        let answer = try Curl.get(mock.url + "/pets", ("Prefer", "example=\(name)"))
        #expect(!answer.body.contains("secret"))
      }
      let inside = try Curl.get(mock.url + "/pets", ("Prefer", "example=c"))
      #expect(inside.body == "Tom")
      #expect(try Command.run("verify", "api.yaml", "--allow-files", root + "/other", in: project).code == 0)
    }
  }

  @Test func `a folder of fixtures that the user names is allowed, wherever it is`() throws {
    let files = ["apart/api/readPets/200.txt": "Tom"]
    try Self.withFolders(Self.contract("schema: {type: string}"), files) { root, project in
      let mock = try ServedMock(["api.yaml", "--fixtures", root + "/apart"], in: project)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets").body == "Tom")
    }
  }
}
