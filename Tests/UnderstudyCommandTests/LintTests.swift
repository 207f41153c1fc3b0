import Testing
import UnderstudyTestSupport

struct LintTests {
  @Test func `a valid contract has a summary of one line`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("lint", "shop.yaml", in: folder)
      #expect(result.output == "")
      #expect(result.error == "checked 1 contract: 0 errors, 0 warnings, 0 notes\n")
      #expect(result.code == 0)
    }
  }

  @Test func `a finding has its place, an excerpt and its rule`() throws {
    try withProject(["shop.yaml": Shop.referring(to: "#/components/schemas/Pet")]) { folder in
      let result = try Command.run("lint", "shop.yaml", in: folder)
      #expect(
        result.output == """
          shop.yaml:15:30: error: the reference `#/components/schemas/Pet` leads nowhere: the document has no `components` [spec.ref.unresolved]
            15 |               schema: {$ref: "#/components/schemas/Pet"}
               |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^

          """)
      #expect(result.error == "checked 1 contract: 1 error, 0 warnings, 0 notes\n")
      #expect(result.code == 1)
    }
  }

  @Test func `our extension is checked like the rest`() throws {
    let contract = Shop.contract.replacing(
      "paths:\n", with: "x-understudy: {unauthorised: 401, invalid-request: 42}\npaths:\n")
    try withProject(["shop.yaml": contract]) { folder in
      let result = try Command.run("lint", "shop.yaml", in: folder)
      #expect(result.output.contains("shop.yaml:3:16: error: unknown key `unauthorised` [spec.x-understudy]"))
      #expect(result.output.contains("expected a status from 200 to 599 or `ignore`, found 42 [spec.x-understudy]"))
      #expect(result.error == "checked 1 contract: 2 errors, 0 warnings, 0 notes\n")
      #expect(result.code == 1)
    }
  }

  @Test func `json prints one finding on each line`() throws {
    try withProject(["shop.yaml": Shop.referring(to: "pet.yaml")]) { folder in
      let result = try Command.run("lint", "shop.yaml", "--format", "json", in: folder)
      #expect(
        result.output == """
          {"rule":"spec.ref.unresolved","severity":"error","owner":"contract",\
          "message":"the reference `pet.yaml` needs `pet.yaml`: no such file or folder",\
          "location":{"file":"shop.yaml","line":15,"column":30,"endLine":15,"endColumn":40,\
          "pointer":"/paths/~1pets~1{id}/get/responses/200/content/application~1json/schema/$ref"}}

          """)
      #expect(result.code == 1)
    }
  }

  @Test func `a note fails only with --fail-on info`() throws {
    let contract = Shop.contract.replacing(
      "required: [name], properties: {name: {type: string}}",
      with: "required: [name], properties: {name: {type: string, default: Tom}}")
    try withProject(["shop.yaml": contract]) { folder in
      let lenient = try Command.run("lint", "shop.yaml", "--quiet", in: folder)
      #expect(lenient.output == "")
      #expect(lenient.error == "checked 1 contract: 0 errors, 0 warnings, 1 note\n")
      #expect(lenient.code == 0)
      #expect(try Command.run("lint", "shop.yaml", "--fail-on", "info", in: folder).code == 1)
      #expect(try Command.run("lint", "shop.yaml", "--fail-on", "warning", in: folder).code == 0)
    }
  }

  @Test func `a contract that is not there cannot be loaded`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("lint", "shop.yaml", "shp.yaml", in: folder)
      #expect(
        result.output == """
          shp.yaml: error: cannot read the contract: no such file or folder [config.unreadable]
            help: did you mean `shop.yaml`?

          """)
      #expect(result.error == "checked 2 contracts: 1 error, 0 warnings, 0 notes\n")
      #expect(result.code == 3)
    }
  }

  @Test func `standard input is not a contract`() throws {
    let result = try Command.run("lint", "-", input: Shop.contract)
    #expect(
      result.output == """
        -: error: cannot read the contract: no such file or folder [config.unreadable]
          help: standard input is not read here; name a file or a URL

        """)
    #expect(result.code == 3)
  }

  @Test func `no contract is a mistake of usage`() throws {
    try withProject([:]) { folder in
      let result = try Command.run("lint", in: folder)
      #expect(result.output == "")
      #expect(
        result.error == """
          error: no contract is named
            help: name it after the command, or list it in understudy.yaml

          """)
      #expect(result.code == 2)
    }
  }

  @Test func `an unknown option is a mistake of usage`() throws {
    let result = try Command.run("lint", "--bogus")
    #expect(result.output == "")
    #expect(
      result.error == """
        error: unknown option `--bogus`
          help: `understudy lint --help` lists what it takes

        """)
    #expect(result.code == 2)
  }
}
