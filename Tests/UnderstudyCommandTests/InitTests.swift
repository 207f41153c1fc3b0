import Foundation
import Testing
import UnderstudyTestSupport

struct InitTests {
  private static func text(_ path: String, in folder: String) throws -> String {
    try String(contentsOf: URL(filePath: folder).appending(path: path), encoding: .utf8)
  }

  private static let written = """
    wrote fixtures/shop/readPet/200.json
    wrote fixtures/shop/readPet/404.yaml
    wrote understudy.yaml

    """

  @Test func `a project begins with a config file and a fixture for each cell`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("init", "shop.yaml", in: folder)
      #expect(result.output == Self.written)
      #expect(
        result.error == """
          3 written, 0 kept, 0 skipped
          next: understudy serve

          """)
      #expect(result.code == 0)
      #expect(try Self.text("fixtures/shop/readPet/200.json", in: folder) == "{\n  \"name\": \"Tom\"\n}\n")
      #expect(try Self.text("fixtures/shop/readPet/404.yaml", in: folder) == "summary: \"No such pet.\"\n")
      #expect(
        try Self.text("understudy.yaml", in: folder) == """
          # The settings of `understudy`.
          contracts:
            - "shop.yaml"
          fixtures: "fixtures"
          port: 4010

          """)
      #expect(try Command.run("lint", in: folder).code == 0)
    }
  }

  @Test func `nothing that is there is overwritten`() throws {
    let mine = [
      "understudy.yaml": "contracts: [shop.yaml]\nport: 5000\n",
      "fixtures/shop/readPet/200.yaml": "body: {name: Mine}\n",
      "fixtures/shop/readPet/404.yaml": "not even readable: [",
    ]
    try withProject(Shop.files.merging(mine) { first, _ in first }) { folder in
      let result = try Command.run("init", "shop.yaml", in: folder)
      #expect(result.output == "")
      #expect(
        result.error == """
          0 written, 3 kept, 0 skipped
          next: understudy serve

          """)
      #expect(result.code == 0)
      for (path, text) in mine { #expect(try Self.text(path, in: folder) == text) }
    }
  }

  @Test func `a dry run shows the files and writes none`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("init", "shop.yaml", "--dry-run", "--fixtures", "answers", in: folder)
      #expect(
        result.output == """
          would write answers/shop/readPet/200.json
          would write answers/shop/readPet/404.yaml
          would write understudy.yaml

          """)
      #expect(result.error == "3 to write, 0 kept, 0 skipped\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["shop.yaml"])
    }
  }

  @Test func `an initialized project has fixtures for every cell`() throws {
    try withProject(["petstore.yaml": try Project.text("specs/petstore.yaml")]) { folder in
      #expect(try Command.run("init", "petstore.yaml", in: folder).code == 0)
      let routes = try Command.run("routes", in: folder)
      #expect(routes.error == "")
      #expect(!routes.output.contains(" sample"))
    }
  }

  @Test func `an invalid example is replaced by a sample, counted and named`() throws {
    try withProject(["shop.yaml": Shop.contract.replacing("name: Tom", with: "name: 7")]) { folder in
      let dry = try Command.run("init", "shop.yaml", "--dry-run", in: folder)
      #expect(dry.error.hasSuffix("\n3 to write (1 with a sample for an invalid example), 0 kept, 0 skipped\n"))
      let result = try Command.run("init", "shop.yaml", in: folder)
      #expect(result.output == Self.written)
      #expect(
        result.error == """
          a sample replaces the invalid example of readPet/200: /name: expected string, found number 7
          3 written (1 with a sample for an invalid example), 0 kept, 0 skipped
          next: understudy serve

          """)
      #expect(result.code == 0)
      #expect(try Command.run("verify", in: folder).code == 0)
    }
  }

  @Test func `written fixtures are valid, including required headers`() throws {
    let headers = "headers: {X-Total: {required: true, schema: {type: integer}}}"
    let contract = Shop.contract.replacing(
      "description: One pet.", with: "description: One pet.\n          \(headers)"
    )
    .replacing("{description: No such pet.}", with: "{description: No such pet., \(headers)}")
    try withProject(["shop.yaml": contract]) { folder in
      #expect(try Command.run("init", "shop.yaml", in: folder).code == 0)
      let verified = try Command.run("verify", in: folder)
      #expect(verified.code == 0, "\(verified.output)")
    }
  }

  @Test func `fixtures are written to the folder of UNDERSTUDY_FIXTURES, and a flag takes precedence`() throws {
    try withProject(Shop.files) { folder in
      for (flags, named) in [([], "answers"), (["--fixtures", "replies"], "replies")] {
        let result = try Command.run(
          Command.path, ["init", "shop.yaml", "--dry-run"] + flags, in: folder,
          environment: ["UNDERSTUDY_FIXTURES": "answers"])
        #expect(result.output.contains("would write \(named)/shop/"), "\(result.output)")
        #expect(result.code == 0)
      }
    }
  }

  @Test func `an invalid contract ends the command`() throws {
    try withProject([:]) { folder in
      let result = try Command.run("init", "shop.yaml", in: folder)
      #expect(result.output == "")
      #expect(
        result.error == """
          shop.yaml: error: cannot read the contract: no such file or folder [config.unreadable]
            help: check the path and the working directory
          error: shop.yaml cannot be used

          """)
      #expect(result.code == 3)
    }
  }

  @Test func `a contract is required`() throws {
    let result = try Command.run("init")
    #expect(result.output == "")
    #expect(result.error.hasPrefix("error: missing expected argument `<spec> ...`\n"))
    #expect(result.code == 2)
  }
}
