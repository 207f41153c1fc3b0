import TestSupport
import Testing

struct VerifyFixturesTests {
  @Test(arguments: ["slp", "petstore"]) func `the fixtures and contracts that come with the project are in order`(
    name: String
  ) throws {
    let result = try Command.run("verify", "specs/\(name).yaml", "--fixtures", "fixtures", "--fail-on", "info")
    #expect(result.code == 0, "\(result.error)")
  }

  @Test func `a fixture that breaks its contract fails the run`() throws {
    var files = Shop.files
    files["fixtures/shop/readPet/200.json"] = #"{"name": 7}"#
    try withProject(files) { folder in
      #expect(try Command.run("verify", "shop.yaml", in: folder).code == 1)
    }
  }

  @Test func `the contracts of understudy yaml are verified where none is named`() throws {
    var files = Shop.files
    files["understudy.yaml"] = "contracts: [shop.yaml]\nrules: {resp.body.schema: warning}\n"
    files["fixtures/shop/readPet/200.json"] = #"{"name": 7}"#
    try withProject(files) { folder in
      #expect(try Command.run("verify", in: folder).code == 0)
      #expect(try Command.run("verify", "--fail-on", "warning", in: folder).code == 1)
    }
  }

  @Test func `a contract that cannot be read ends the run before it claims anything`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("verify", "shop.yaml", "shp.yaml", in: folder)
      #expect(result.error == "shp.yaml: error: cannot read the contract: no such file or folder [config.unreadable]\n")
      #expect(result.output == "")
      #expect(result.code == 3)
    }
  }

  @Test func `two contracts of one name are a mistake of usage`() throws {
    var files = Shop.files
    files["old/shop.yaml"] = Shop.contract
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", "old/shop.yaml", in: folder)
      #expect(result.error.contains("two contracts are called `shop`"))
      #expect(result.code == 2)
    }
  }

  @Test func `a level for an operation that no contract has is a mistake of usage`() throws {
    var files = Shop.files
    files["understudy.yaml"] = "contracts: [shop.yaml]\noperations: {readPets: {rules: {resp.time: off}}}\n"
    try withProject(files) { folder in
      let result = try Command.run("verify", in: folder)
      #expect(result.error.contains("`operations` names `readPets`, which no contract has"))
      #expect(result.code == 2)
    }
  }

  @Test func `no progress is shown where nobody watches`() throws {
    try withProject(Shop.files) { folder in
      #expect(try Command.run("verify", "shop.yaml", in: folder).error == "")
    }
  }
}
