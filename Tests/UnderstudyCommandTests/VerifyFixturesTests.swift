import Foundation
import Testing
import UnderstudyTestSupport

struct VerifyFixturesTests {
  @Test(arguments: ["slp", "petstore", "firebase"]) func `the fixtures and contracts of the project are valid`(
    name: String
  ) throws {
    let result = try Command.run("verify", "specs/\(name).yaml", "--fixtures", "fixtures", "--fail-on", "info")
    #expect(result.code == 0, "\(result.error)")
  }

  @Test func `a fixture that breaks its contract fails the run`() throws {
    var files = Shop.files
    files["fixtures/shop/readPet/200.json"] = #"{"name": 7}"#
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", in: folder)
      #expect(result.code == 1)
    }
  }

  @Test func `verify and serve show each name that no template fills, with its position and its own help`() throws {
    let names = ["request.heders.X-A", "faker.name", "request.query.o.p"]
    let help = ["did you mean `header`?", "known: request, var", "a name of this part has three parts"]
    var files = Shop.files
    files["fixtures/shop/readPet/200.yaml"] =
      "template: true\nbody:\n" + "  name: \"" + names.map { "{{\($0)}}" }.joined(separator: " ") + "\"\n"
    try withProject(files) { folder in
      let verified = try Command.run("verify", "shop.yaml", in: folder)
      #expect(verified.code == 1)
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      for text in [verified.output, mock.printed] {
        for (name, help) in zip(names, help) {
          let place = "fixtures/shop/readPet/200.yaml:3:"
          #expect(text.contains("error: nothing gives `{{\(name)}}` a value"), "\(text)")
          #expect(text.contains(place) && text.contains("help: \(help)"), "\(text)")
        }
      }
    }
  }

  @Test func `verify fills templates for a sample request, and validates the result`() throws {
    let rows = [
      ("template: true\nbody: {name: \"{{upper request.path.id}}\"}\n", nil),
      (
        "template: true\ntext: '{\"name\": {{add request.path.id 1}}}'\ncontentType: application/json\n",
        "expected string, found"
      ),
      (
        "template: true\nbody: {name: \"{{divide 1 (subtract request.path.id request.path.id)}}\"}\n",
        "the template cannot be filled for a sample request: the divisor is 0"
      ),
    ]
    for (yaml, message) in rows {
      var files = Shop.files
      files["fixtures/shop/readPet/200.yaml"] = yaml
      try withProject(files) { folder in
        let result = try Command.run("verify", "shop.yaml", in: folder)
        #expect(result.code == (message == nil ? 0 : 1), "\(result.output)")
        if let message { #expect(result.output.contains(message), "\(result.output)") }
      }
    }
  }

  @Test func `the contracts of understudy yaml are verified if none is named`() throws {
    var files = Shop.files
    files["understudy.yaml"] = "contracts: [shop.yaml]\nrules: {resp.body.schema: warning}\n"
    files["fixtures/shop/readPet/200.json"] = #"{"name": 7}"#
    try withProject(files) { folder in
      let lenient = try Command.run("verify", in: folder)
      #expect(lenient.code == 0)
      #expect(try Command.run("verify", "--fail-on", "warning", in: folder).code == 1)
    }
  }

  @Test func `mistakes in the declarations of sockets and in the files of their events fail the run`() throws {
    var files = Shop.files
    files["shop.yaml"] =
      Shop.contract + """

        x-understudy-events:
          transprt: socketio
          rules: [{on: {operation: readPets}, do: [{emit: a, fixture: gone}]}]

        """
    files["fixtures/shop/_events/broken.json"] = "{"
    files["fixtures/shop/_events/twice.yaml"] = "argument: {id: 1}\nargument: {id: 2}\n"
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", in: folder)
      for message in [
        "unknown key `transprt`", "no operation is called `readPets`", "no file of `_events` has the name `gone`",
        "fixtures/shop/_events/broken.json", "twice.yaml:2:1: error: duplicate key `argument` in one object",
      ] { #expect(result.output.contains(message), "\(result.output)") }
      #expect(result.output.contains("found: 5 errors"), "\(result.output)")
      #expect(result.code == 1)
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      #expect(
        mock.printed.contains("unknown key `transprt`") && mock.printed.contains("broken.json"), "\(mock.printed)")
    }
  }

  @Test func `files of socket events are validated by the schemas of their events`() throws {
    var files = Shop.files
    files["shop.yaml"] =
      Shop.contract + """

        x-understudy-events:
          events:
            moved: {from: server, arguments: [{type: object, required: [id], properties: {id: {type: string}}}]}
            raw: {from: server}
          rules: [{on: {event: mvoed}, do: [{emit: moved}]}]

        """
    let folder = "fixtures/shop/_events"
    files["\(folder)/moved.json"] = #"{"id": "7"}"#
    files["\(folder)/moved.number.json"] = "{\n  \"id\": 7\n}"
    files["\(folder)/moved.meant.yaml"] = "violates: [event.schema]\nargument: {id: 7}\n"
    files["\(folder)/moved.kept.yaml"] = "violates: [event.schema]\nargument: {id: '7'}\n"
    files["\(folder)/moved.two.yaml"] = "arguments: [{id: '7'}, 8]\n"
    files["\(folder)/moved.filled.json"] = #"{"id": "{{event.0}}"}"#
    files["\(folder)/moved.misspelt.json"] = #"{"id": "{{request.headers.X-A}} of {{evnt.0}}"}"#
    files["\(folder)/mved.json"] = "1"
    files["\(folder)/raw.json"] = "1"
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", in: folder)
      for message in [
        "_events/moved.number.json:2:9: error: `moved`: expected string, found number 7",
        "_events/moved.kept.yaml:1:12: error: moved.kept lists `event.schema` in `violates`, but does not break it",
        "_events/moved.two.yaml", "`moved` has 2 arguments, expected 1",
        "_events/mved.json: warning: no event `mved` is declared `from: server` [event.undeclared]",
        "did you mean `moved`?", "no event `mvoed` is declared `from: client`",
        "files of events with templates are filled when the event is emitted",
        "_events/moved.misspelt.json:1:8: error: nothing gives `{{request.headers.X-A}}` a value",
        "did you mean `header`?", "nothing gives `{{evnt.0}}` a value", "did you mean `event`?",
        "the event of the file declares no `arguments`",
      ] { #expect(result.output.contains(message), "\(message): \(result.output)") }
      #expect(result.output.contains("found: 5 errors, 2 warnings"), "\(result.output)")
      #expect(result.code == 1)
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      #expect(mock.waits(for: "moved.number.json:2:9: error: `moved`: expected string"), "\(mock.printed)")
    }
  }

  @Test func `an unreadable contract ends the run without a result`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("verify", "shop.yaml", "shp.yaml", in: folder)
      #expect(
        result.error == """
          shp.yaml: error: cannot read the contract: no such file or folder [config.unreadable]
            help: did you mean `shop.yaml`?

          """)
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

  @Test func `no progress is shown without a terminal`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("verify", "shop.yaml", in: folder)
      #expect(result.error == "")
    }
  }

  @Test func `repairs are shown, but not made without a terminal`() throws {
    var files = Shop.files
    files["fixtures/shop/readPet/200.json"] = "{\n  \"id\": 7\n}\n"
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", "--fix", in: folder, input: "y\n")
      #expect(
        result.output == """
          --- a/fixtures/shop/readPet/200.json
          +++ b/fixtures/shop/readPet/200.json
          @@ -1,3 +1,4 @@
           {
          -  "id": 7
          +  "id": 7,
          +  "name": "Tom"
           }

          """)
      #expect(result.error == "error: 1 file could be repaired\n  help: `--fix --yes` changes them\n")
      #expect(result.code == 1)
      #expect(try Command.run("verify", "shop.yaml", in: folder).code == 1)
    }
  }

  @Test func `with a yes repairs are made, and the files are validated as they then are`() throws {
    var files = Shop.files
    files["fixtures/shop/readPet/200.json"] = "{}"
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", "--fix", "--yes", in: folder)
      #expect(result.error.hasPrefix("repaired 1 file\n"))
      #expect(result.code == 0)
      let text = try String(contentsOfFile: folder + "/fixtures/shop/readPet/200.json", encoding: .utf8)
      #expect(text == #"{"name": "Tom"}"#)
      #expect(try Command.run("verify", "shop.yaml", "--fix", in: folder).error.hasPrefix("nothing can be repaired\n"))
    }
  }

  @Test(arguments: [["--yes"], ["--sort-keys"]]) func `an option of repairs alone is a mistake of usage`(
    arguments: [String]
  ) throws {
    let result = try Command.run(Command.path, ["verify", "specs/petstore.yaml"] + arguments)
    #expect(result.error.contains("\(arguments[0]) goes with --fix"))
    #expect(result.code == 2)
  }

  @Test func `each part of a divided run has cases`() throws {
    for part in 1...3 {
      let result = try Command.run("verify", "specs/petstore.yaml", "--shard", "\(part)/3")
      #expect(result.code == 0, "\(result.error)")
    }
    #expect(try Command.run("verify", "specs/petstore.yaml", "--shard", "4/3").code == 2)
  }

  @Test func `a scenario is played by the server`() throws {
    var files = Shop.files
    files["fixtures/shop/_scenarios/gone.yaml"] = "sequence: {readPet: [200.cat, 404]}\n"
    try withProject(files) { folder in
      let mock = try ServedMock(["shop.yaml", "--scenario", "gone"], in: folder)
      defer { mock.stop() }
      let statuses = try (1...3).map { _ in
        try Command.run(
          "/usr/bin/env", ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", mock.url + "/pets/1"]
        ).output
      }
      #expect(statuses == ["200", "404", "404"])
    }
  }

  @Test func `a scenario that is not there ends the start`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("serve", "shop.yaml", "--port", "0", "--scenario", "gone", in: folder)
      #expect(
        result.error == """
          error: unknown scenario `gone` [config.invalid]
            help: expected fixtures/shop/_scenarios/gone.yaml

          """)
      #expect(result.code == 2)
    }
  }
}
