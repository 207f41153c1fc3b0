import Foundation
import Testing
import UnderstudyTestSupport

/// Files that change under a live server.
@Suite(.waitsForProcesses)
struct ReloadTests {
  private static let fixture = "fixtures/shop/readPet/200.json"

  /// Serves the shop with one fixture, and gives the mock its time to end.
  private func serving(
    _ files: [String: String] = [:], _ arguments: [String] = [], _ body: (ServedMock, _ folder: String) throws -> Void
  ) throws {
    let own = Shop.files.merging([Self.fixture: "{\"name\":\"old\"}"]) { first, _ in first }
    try withProject(own.merging(files) { _, new in new }) { folder in
      let mock = try ServedMock(["shop.yaml"] + arguments, in: folder)
      defer { mock.stop() }
      try body(mock, folder)
    }
  }

  private func remove(_ path: String, in folder: String) throws {
    try FileManager.default.removeItem(at: URL(filePath: folder).appending(path: path))
  }

  @Test func `a changed fixture is served`() throws {
    try serving { mock, folder in
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"old\"}")
      try write([Self.fixture: "{\"name\":\"newer\"}"], in: folder)
      #expect(mock.waits(for: "reloaded after a change of \(Self.fixture)\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"newer\"}")
    }
  }

  @Test func `a fixture that appears in a new folder is served`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      try write([Self.fixture: "{\"name\":\"first\"}"], in: folder)
      #expect(mock.waits(for: "reloaded after a change of \(Self.fixture)\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"first\"}")
    }
  }

  @Test func `a deleted fixture gives way to the contract's example`() throws {
    try serving { mock, folder in
      try remove(Self.fixture, in: folder)
      #expect(mock.waits(for: "reloaded after a change of \(Self.fixture)\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").headers["understudy-reply"] == "example readPet/200.cat")
    }
  }

  @Test func `an invalid fixture is reported and ignored until it is fixed`() throws {
    try serving(["fixtures/shop/readPet/404.yaml": "text: gone\n"]) { mock, folder in
      try write(["fixtures/shop/readPet/404.yaml": "txet: gone\n"], in: folder)
      #expect(mock.waits(for: "reloaded"), "\(mock.printed)")
      #expect(mock.printed.contains("404.yaml:1:1: error: unknown key `txet`"))
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"old\"}")
      try write(["fixtures/shop/readPet/404.yaml": "text: gone again\n"], in: folder)
      #expect(mock.waits(for: "reloaded", count: 2), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "gone again")
    }
  }

  @Test func `a problem is reported once, counted while it remains, and reported again when it recurs`() throws {
    try serving(["fixtures/shop/readPet/404.yaml": "txet: gone\n"]) { mock, folder in
      func count(_ text: String) -> Int { mock.printed.components(separatedBy: text).count - 1 }
      #expect(count("unknown key `txet`") == 1)
      try write([Self.fixture: "{\"name\":\"newer\"}"], in: folder)
      #expect(mock.waits(for: "reloaded"), "\(mock.printed)")
      #expect(count("unknown key `txet`") == 1)
      #expect(count("1 earlier problem remains\n") == 1)
      try write(["fixtures/shop/readPet/404.yaml": "text: gone\n"], in: folder)
      #expect(mock.waits(for: "reloaded", count: 2), "\(mock.printed)")
      #expect(count("earlier problem") == 1)
      try write(["fixtures/shop/readPet/404.yaml": "txet: gone\n"], in: folder)
      #expect(mock.waits(for: "reloaded", count: 3), "\(mock.printed)")
      #expect(count("unknown key `txet`") == 2)
    }
  }

  @Test func `a changed contract is served`() throws {
    try serving { mock, folder in
      #expect(try Curl.get(mock.url + "/animals/1").status == 404)
      try write(["shop.yaml": Shop.contract.replacing("/pets/", with: "/animals/")], in: folder)
      #expect(mock.waits(for: "reloaded after a change of shop.yaml\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/animals/1").status == 200)
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
    }
  }

  private static let pets = CollectionContract.text(
    CollectionContract("pets", of: "Pet"),
    schemas: ["Pet: {type: object, properties: {id: {type: integer}, name: {type: string}}}"])

  @Test func `a reload keeps what clients have created, except in collections that have changed`() throws {
    let seeds = "fixtures/pets/findPets/200.json"
    try withProject(["pets.yaml": Self.pets, seeds: #"[{"id":1,"name":"Rex"}]"#]) { folder in
      let mock = try ServedMock(["pets.yaml", "--stateful"], in: folder)
      defer { mock.stop() }
      let tom = Scenario.Exchange(
        method: "POST", target: "/pets", headers: [("Content-Type", "application/json")], body: #"{"name":"Tom"}"#)
      #expect(try Curl.send(tom, to: mock.url).status == 201)
      try write(["fixtures/pets/readPet/404.yaml": "text: gone\n"], in: folder)
      #expect(mock.waits(for: "reloaded after a change of fixtures/pets/readPet/404.yaml\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets").body.contains("Tom"))
      try write([seeds: #"[{"id":1,"name":"Max"}]"#], in: folder)
      #expect(mock.waits(for: "reloaded after a change of \(seeds); pets begin anew\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets").body == #"[{"id":1,"name":"Max"}]"#)
    }
  }

  @Test func `a changed file behind a reference is read again`() throws {
    let schema = "type: object\nrequired: [name]\nproperties:\n  name: {const: old}\n"
    let files = ["shop.yaml": Shop.referring(to: "parts/pet.yaml"), "parts/pet.yaml": schema]
    try serving(files) { mock, folder in
      #expect(try Curl.get(mock.url + "/pets/1?__dynamic").body == "{\"name\":\"old\"}")
      try write(["parts/pet.yaml": schema.replacing("old", with: "renewed")], in: folder)
      #expect(mock.waits(for: "reloaded after a change of parts/pet.yaml\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1?__dynamic").body == "{\"name\":\"renewed\"}")
    }
  }

  @Test func `a file behind a reference that was not there yet is waited for`() throws {
    try serving(["shop.yaml": Shop.referring(to: "parts/pet.yaml")]) { mock, folder in
      #expect(mock.printed.contains("[spec.ref.unresolved]"))
      try write(["parts/pet.yaml": "const: {name: here}\n"], in: folder)
      #expect(mock.waits(for: "reloaded after a change of parts/pet.yaml\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1?__dynamic").body == "{\"name\":\"here\"}")
    }
  }

  @Test func `a changed or new body file outside the fixtures is read again`() throws {
    let files = ["fixtures/shop/readPet/404.yaml": "bodyFile: ../../../gone.txt\n"]
    try serving(files) { mock, folder in
      #expect(mock.printed.contains("the body file `../../../gone.txt` cannot be read"))
      try write(["gone.txt": "no such pet"], in: folder)
      #expect(mock.waits(for: "reloaded"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "no such pet")
      try write(["gone.txt": "no such pet any more"], in: folder)
      #expect(mock.waits(for: "reloaded", count: 2), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "no such pet any more")
    }
  }

  @Test func `the file of an external example is read again`() throws {
    let contract = Shop.contract.replacing("cat: {value: {name: Tom}}", with: "cat: {externalValue: examples/cat.json}")
    try serving(["shop.yaml": contract, "examples/cat.json": "{\"name\":\"Tom\"}"]) { mock, folder in
      #expect(try Curl.get(mock.url + "/pets/1?__example=cat").body == "{\"name\":\"Tom\"}")
      try write(["examples/cat.json": "{\"name\":\"Felix\"}"], in: folder)
      #expect(mock.waits(for: "reloaded after a change of examples/cat.json\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1?__example=cat").body == "{\"name\":\"Felix\"}")
    }
  }

  @Test func `an invalid contract keeps the last state until it is fixed`() throws {
    try serving { mock, folder in
      try write(["shop.yaml": Shop.contract + "  {"], in: folder)
      #expect(
        mock.waits(for: "not reloaded after a change of shop.yaml: the last valid state is served\n"), "\(mock.printed)"
      )
      #expect(mock.printed.contains("[spec.unparsable]"))
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"old\"}")
      // Fixtures are watched on.
      try write([Self.fixture: "{\"name\":\"changed meanwhile\"}"], in: folder)
      #expect(mock.waits(for: "not reloaded after a change of \(Self.fixture)"), "\(mock.printed)")
      try write(["shop.yaml": Shop.contract], in: folder)
      #expect(mock.waits(for: "\nreloaded after a change of shop.yaml\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"changed meanwhile\"}")
    }
  }

  @Test func `a deleted contract keeps the last state`() throws {
    try serving { mock, folder in
      try remove("shop.yaml", in: folder)
      #expect(mock.waits(for: "not reloaded after a change of shop.yaml"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"old\"}")
    }
  }

  @Test func `a change that removes a forced cell keeps the last state`() throws {
    try serving([:], ["--force", "readPet=noSuchPet"]) { mock, folder in
      try write(["shop.yaml": Shop.contract.replacing("No such pet.", with: "Gone.")], in: folder)
      #expect(mock.waits(for: "not reloaded after a change of shop.yaml"), "\(mock.printed)")
      #expect(mock.printed.contains("--force asks readPet for `noSuchPet`, which it does not have"))
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
    }
  }

  @Test func `without watching, a changed or deleted fixture is served unchanged`() throws {
    try serving([:], ["--no-watch"]) { mock, folder in
      try remove(Self.fixture, in: folder)
      for _ in 0..<3 { #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"old\"}") }
    }
  }
}
