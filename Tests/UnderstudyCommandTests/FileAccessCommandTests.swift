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
      #expect(result.output.contains("outside the project folders [spec.ref.outside]"), "\(result.output)")
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

  @Test(arguments: ["", "/project/home", "/project"])
  func `the home directory and folders above it are no project`(home: String) throws {
    // The working directory, the folder of understudy.yaml and the folder of the contract.
    let contract = Self.contract("schema: {$ref: other/secret.yaml}")
    let files = ["api.yaml": contract, "understudy.yaml": "contracts: api.yaml\n", "project/home/a.txt": ""]
    try Self.withFolders(contract, files) { root, _ in
      for (arguments, folder) in [(["lint", "api.yaml"], root), (["lint"], root + "/project"), (["lint"], root)] {
        #expect(try Command.run(Command.path, arguments, in: folder).code == 0)
        let result = try Command.run(Command.path, arguments, in: folder, environment: ["HOME": root + home])
        #expect(result.code == 1, "\(result)")
        #expect(result.output.contains("[spec.ref.outside]"), "\(result)")
        #expect(result.output.contains("or allow its folder: `--allow-files \(root)/other`"), "\(result)")
      }
    }
  }

  @Test func `the home directory is read from the user database if HOME is unset`() throws {
    let home = try #require(getpwuid(getuid())?.pointee.pw_dir.flatMap { FileSystem.realPath(String(cString: $0)) })
    try Self.withFolders(Self.contract("schema: {$ref: \(home)/no-such-file.yaml}")) { _, project in
      let result = try Command.run(
        "/usr/bin/env", ["-u", "HOME", Command.path, "lint", project + "/api.yaml"], in: home)
      #expect(result.output.contains("[spec.ref.outside]"), "\(result)")
      #expect(result.output.contains("help: copy it into the project\n"), "\(result)")
    }
  }

  @Test(arguments: ["link", "message", "payload", "property", "channel"])
  func `lint and doctor report an AsyncAPI document that is, or refers to, a file outside`(part: String) throws {
    let outside = "{$ref: ../other/secret.yaml}"
    let property = "{type: object, properties: {b: \(outside)}}"
    let payload = part == "property" ? property : part == "payload" ? outside : "{type: string}"
    let message = part == "message" ? outside : "{payload: \(payload)}"
    let channel = part == "channel" ? outside : "{address: /, messages: {a: \(message)}}"
    let document = """
      asyncapi: 3.0.0
      info: {title: Pets, version: "1"}
      servers: {own: {host: example.com, protocol: ws}}
      channels: {main: \(channel)}

      """
    let place = part == "link" ? "other/" : "project/"
    try Self.withFolders(Self.contract("schema: {type: string}"), [place + "api.asyncapi.yaml": document]) {
      _, project in
      if part == "link" {
        try FileManager.default.createSymbolicLink(
          atPath: project + "/api.asyncapi.yaml", withDestinationPath: "../other/api.asyncapi.yaml")
      }
      let lint = try Command.run("lint", "api.yaml", in: project)
      #expect(lint.code == 1, "\(lint)")
      #expect(lint.output.hasPrefix("api.asyncapi.yaml:"), "\(lint)")
      let rule = part == "property" ? "[spec.schema.ref]" : "[spec.ref.outside]"
      #expect(lint.output.components(separatedBy: "outside the project folders \(rule)").count == 2, "\(lint)")
      #expect(lint.output.contains("or allow its folder: `--allow-files "), "\(lint)")
      let doctor = try Command.run("doctor", "api.yaml", in: project)
      #expect(
        doctor.output.contains("1 error, 0 warnings, 0 notes; `understudy lint api.yaml` lists them"), "\(doctor)")
      let allowed = try Command.run("lint", "api.yaml", "--allow-files", "../other", in: project)
      #expect(!allowed.output.contains("outside the project folders"), "\(allowed)")
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

  @Test(arguments: [
    "schema: {$ref: ↓'file:///proc/self/cwd/secret.yaml'}", "schema: {$ref: ↓'file:secret.yaml'}",
    "schema: {type: string}, examples: {e: {externalValue: ↓'file:secret.yaml'}}",
  ])
  func `a contract at a URL names no file unless its folder is allowed`(content: String) throws {
    let marked = MarkedText(Self.contract(content))
    let place = marked.source.position(of: marked.offsets[0])
    let server = try ContractServer(["/api.yaml": ContractServer.Page(type: "application/yaml", text: marked.text)])
    defer { server.stop() }
    let contract = server.url + "/api.yaml"
    try withProject(["secret.yaml": "const: my secret\n"]) { folder in
      let lint = try Command.run("lint", contract, in: folder)
      #expect(lint.code == 1)
      let finding = "\(contract):\(place.line):\(place.column): error: "
      #expect(lint.output.hasPrefix(finding), "\(lint.output)")
      #expect(lint.output.contains("outside the project folders [spec.ref.outside]"), "\(lint.output)")
      #expect(lint.output.contains("help: a document at a URL names no file of the project: use a URL"))
      let mock = try ServedMock([contract], in: folder)
      defer { mock.stop() }
      #expect(try !Curl.get(mock.url + "/pets").body.contains("secret"))
      #expect(mock.waits(for: finding), "\(mock.printed)")
      #expect(mock.printed.contains("[spec.ref.outside]"), "\(mock.printed)")
      #if os(Linux)
      let allowed = try ServedMock([contract, "--allow-files", "."], in: folder)
      defer { allowed.stop() }
      #expect(try Curl.get(allowed.url + "/pets").body.contains("my secret"))
      #endif
    }
  }

  @Test func `a file of references is allowed alone, without its folder`() throws {
    let schema = Self.contract("schema: {$ref: 'https://schemas.example/string.yaml'}")
    let settings = "contracts: api.yaml\nreferences: {'https://schemas.example/string.yaml': ../other/secret.yaml}\n"
    try Self.withFolders(schema, ["project/understudy.yaml": settings]) { _, project in
      let result = try Command.run("lint", in: project)
      #expect(result.code == 0, "\(result.output)")
    }
    try Self.withFolders(Self.example, ["project/understudy.yaml": settings]) { _, project in
      let result = try Command.run("lint", in: project)
      #expect(result.code == 1)
      #expect(result.output.contains("[spec.ref.outside]"), "\(result.output)")
    }
  }

  @Test func `an example in a pipe or a folder is a finding at its position`() throws {
    let content = Self.contract(
      "schema: {type: string}, examples: {e: {externalValue: bad}, f: {externalValue: folder}}")
    try Self.withFolders(content, ["project/folder/a": ""]) { _, project in
      #expect(mkfifo(project + "/bad", 0o600) == 0)
      for command in ["lint", "verify"] {
        let result = try Command.run(command, "api.yaml", in: project)
        for (column, name, kind) in [(111, "bad", "a pipe, socket or device"), (136, "folder", "a folder")] {
          let finding = """
            api.yaml:8:\(column): warning: `\(name)` cannot be read: expected a regular file, found \(kind) [example.external]
            """
          #expect(result.output.components(separatedBy: finding).count == 2, "\(command) \(result.output)")
        }
      }
    }
  }
}
