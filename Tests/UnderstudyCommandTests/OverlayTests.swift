import Foundation
import Testing
import UnderstudyTestSupport

/// Overlays that commands apply to contracts.
@Suite(.waitsForProcesses)
struct OverlayTests {
  private static func overlay(_ actions: String, extends: String? = nil) -> String {
    "overlay: 1.0.0\ninfo: {title: Fixes, version: \"1\"}\n" + (extends.map { "extends: \($0)\n" } ?? "")
      + "actions:\n\(actions)\n"
  }

  private static let example = overlay(
    "- target: $.paths.*.get.responses.*.content.*.examples.cat\n  update: {value: {name: Ada}}")

  // MARK: - Commands

  @Test func `serve applies an overlay, and again when it changes`() throws {
    try withProject(Shop.files.merging(["o.yaml": Self.example]) { $1 }) { folder in
      let mock = try ServedMock(["shop.yaml", "--apply-overlay", "o.yaml"], in: folder)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Ada\"}")
      try write(["o.yaml": Self.example.replacing("Ada", with: "Eve")], in: folder)
      #expect(mock.waits(for: "reloaded after a change of o.yaml\n"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Eve\"}")
      try write(["o.yaml": "overlay: 3.0.0\n"], in: folder)
      #expect(
        mock.waits(for: "not reloaded after a change of o.yaml: the last valid state is served\n"), "\(mock.printed)")
      #expect(mock.printed.contains("o.yaml:1:10: error: unknown version `3.0.0`: expected `overlay: 1.0.0`"))
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Eve\"}")
    }
  }

  @Test func `serve reports a stale overlay at its start, and lists operations as they are applied`() throws {
    let actions = """
      - {target: "$.paths['/pet']", remove: true}
      - {target: $.paths, update: {/health: {get: {operationId: health, responses: {"204": {description: Fine}}}}}}
      """
    try withProject(Shop.files.merging(["o.yaml": Self.overlay(actions)]) { $1 }) { folder in
      let mock = try ServedMock(["shop.yaml", "--apply-overlay", "o.yaml"], in: folder)
      defer { mock.stop() }
      #expect(
        mock.printed.contains(
          "o.yaml:4:12: warning: the target selects nothing: there is no `/pet` [overlay.unmatched]"),
        "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/health").status == 204)
      #expect(try Curl.get(mock.url + "/__admin/operations").body.contains("\"health\""))
    }
  }

  @Test func `overlays of the config file belong to all contracts or to one`() throws {
    let title = "- target: $.info\n  update: {title: New}"
    let files = [
      "a.yaml": Shop.contract, "b.yaml": Shop.contract.replacing("/pets/", with: "/cats/"), "o/cat.yaml": Self.example,
      "o/all.yaml": Self.overlay(title),
      "understudy.yaml": "overlays: o/all.yaml\ncontracts: [a.yaml, {name: b, file: b.yaml, overlays: [o/cat.yaml]}]\n",
    ]
    try withProject(files) { folder in
      let mock = try ServedMock([], in: folder)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Tom\"}")
      #expect(try Curl.get(mock.url + "/cats/1").body == "{\"name\":\"Ada\"}")
      try write(
        [
          "understudy.yaml": "contracts: [{name: a, file: a.yaml, overlays: [o/cat.yaml]}, b.yaml]\n"
        ], in: folder)
      #expect(mock.waits(for: "reloaded"), "\(mock.printed)")
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Ada\"}")
      #expect(try Curl.get(mock.url + "/cats/1").body == "{\"name\":\"Tom\"}")
    }
  }

  @Test func `an overlay at a URL is fetched, and its references are relative to the contract`() throws {
    let actions = """
      - target: $.paths
        update: {/health: {$ref: "parts.yaml#/health"}}
      """
    let server = try ContractServer(["/o.yaml": ContractServer.Page(text: Self.overlay(actions))])
    defer { server.stop() }
    let parts = "health: {get: {responses: {\"204\": {description: Fine}}}}\n"
    try withProject(Shop.files.merging(["parts.yaml": parts]) { $1 }) { folder in
      let result = try Command.run("routes", "shop.yaml", "--apply-overlay", "\(server.url)/o.yaml", in: folder)
      #expect(result.output.contains("/health"), "\(result.output)\(result.error)")
      let missing = try Command.run("lint", "shop.yaml", "--apply-overlay", "\(server.url)/gone.yaml", in: folder)
      #expect(missing.code == 3)
      #expect(missing.output.contains("/gone.yaml: error: cannot read the overlay: "), "\(missing.output)")
    }
  }

  @Test(arguments: [
    ["lint", "shop.yaml"], ["verify", "shop.yaml"], ["coverage", "shop.yaml"], ["routes", "shop.yaml"],
    ["generate", "typescript", "shop.yaml"], ["doctor", "shop.yaml", "--port", "0"], ["scenario", "list", "shop.yaml"],
    ["init", "shop.yaml", "--dry-run"], ["diff", "shop.yaml", "shop.yaml"],
    ["record", "shop.yaml", "--from", "a.ndjson"], ["sweep", "shop.yaml", "--", "true"],
    ["run", "shop.yaml", "--", "true"],
  ])
  func `every command that takes contracts takes overlays`(_ arguments: [String]) throws {
    let files = Shop.files.merging(["o.yaml": "overlay: 1.0.0\n", "a.ndjson": ""]) { $1 }
    try withProject(files) { folder in
      let position = arguments.firstIndex(of: "--") ?? arguments.count
      var all = arguments
      all.insert(contentsOf: ["--apply-overlay", "o.yaml"], at: position)
      let result = try Command.run(Command.path, all, in: folder)
      let printed = result.output + result.error
      #expect(
        printed.contains("an overlay requires `actions`") || printed.contains("shop.yaml cannot be read"), "\(printed)")
      #expect(result.code != 0)
    }
  }

  // MARK: - Errors

  @Test func `a broken overlay has its position, its reason and the next step`() throws {
    let overlay = Self.overlay("- {target: \"$.paths[/pets]\", update: {}}")
    try withProject(Shop.files.merging(["o.yaml": overlay]) { $1 }) { folder in
      let result = try Command.run("serve", "shop.yaml", "--apply-overlay", "o.yaml", in: folder)
      #expect(result.code == 3)
      #expect(
        result.error == """
          o.yaml:4:21: error: `target` is not a JSONPath: expected a name in quotes, an index, a slice, `*` or `?` \
          [overlay.invalid]
            4 | - {target: "$.paths[/pets]", update: {}}
              |                     ^
            help: write a path such as `$.paths['/pets'].get` or `$.paths.*.*[?@.deprecated == true]`

          """)
    }
  }

  @Test func `a contract as an overlay and an overlay as a contract are errors that name the other use`() throws {
    try withProject(Shop.files.merging(["o.yaml": Self.example]) { $1 }) { folder in
      let contract = try Command.run("lint", "shop.yaml", "--apply-overlay", "shop.yaml", in: folder)
      #expect(contract.code == 3)
      #expect(
        contract.output == """
          shop.yaml:1:1: error: this is an OpenAPI document, not an overlay: expected `overlay: 1.0.0` or `overlay: 1.1.0` \
          [overlay.invalid]
            1 | openapi: 3.1.0
              | ^^^^^^^
            help: name a contract without `--apply-overlay`, and outside of `overlays`

          """)
      let overlay = try Command.run("lint", "o.yaml", in: folder)
      #expect(overlay.code == 3)
      #expect(
        overlay.output.contains("  help: it changes a contract: understudy serve shop.yaml --apply-overlay FILE\n"))
    }
  }

  @Test func `an overlay of aliases of aliases ends with the limit of aliases`() throws {
    var lines = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in 1...9 {
      lines.append("- &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]")
    }
    try withProject(Shop.files.merging(["o.yaml": Self.overlay(lines.joined(separator: "\n"))]) { $1 }) { folder in
      let result = try Command.run("lint", "shop.yaml", "--apply-overlay", "o.yaml", in: folder)
      #expect(result.code == 3)
      #expect(
        result.output.contains(
          ": error: the aliases of this text expand to more than 1000000 values [spec.unparsable]\n"),
        "\(result.output.prefix(300))")
    }
  }

  @Test func `serve --strict refuses a stale overlay`() throws {
    let overlay = Self.overlay("- {target: \"$.paths['/pet']\", remove: true}")
    try withProject(Shop.files.merging(["o.yaml": overlay]) { $1 }) { folder in
      let result = try Command.run(
        "serve", "shop.yaml", "--apply-overlay", "o.yaml", "--strict", "--port", "0", in: folder)
      #expect(result.code == 1)
      #expect(
        result.error.hasSuffix(
          """
          error: 1 warning about overlays, and `--strict` is given
            help: correct the overlays, or remove their actions that change nothing

          """), "\(result.error)")
    }
  }

  // MARK: - Versions and recordings

  @Test func `diff applies overlays to both versions, where a revision has them`() throws {
    func git(_ arguments: String..., in folder: String) throws {
      let settings = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]
      let result = try Command.run("/usr/bin/env", ["git"] + settings + arguments, in: folder)
      try #require(result.code == 0, "\(result.output)\(result.error)")
    }
    let removal = Self.overlay("- {target: \"$.paths.*.get.responses['404']\", remove: true}")
    try withProject(Shop.files) { folder in
      try git("init", "-q", in: folder)
      try git("add", "-A", in: folder)
      try git("commit", "-qm", "First", in: folder)
      try write(["o.yaml": removal], in: folder)
      let both = try Command.run("diff", "shop.yaml", "shop.yaml", "--apply-overlay", "o.yaml", in: folder)
      #expect(both.code == 0, "\(both.output)\(both.error)")
      let arguments = ["diff", "HEAD:shop.yaml", "shop.yaml", "--apply-overlay", "o.yaml", "--fail-on", "info"]
      let new = try Command.run(Command.path, arguments, in: folder)
      #expect(new.output.contains("404"), "\(new.output)\(new.error)")
      try git("add", "-A", in: folder)
      try git("commit", "-qm", "Second", in: folder)
      let same = try Command.run(Command.path, arguments, in: folder)
      #expect(same.code == 0, "\(same.output)\(same.error)")
      #expect(!same.output.contains("404"), "\(same.output)")
    }
  }

  @Test(arguments: ["--write-overlay", "--overlay"])
  func `a written overlay makes the recorded exchanges valid`(_ option: String) throws {
    let exchange = """
      {"request": {"method": "GET", "url": "http://localhost/pets/1", "headers": []}, "response": {"status": 418, "headers": \
      [{"name": "Content-Type", "value": "application/json"}], "content": {"mimeType": "application/json", "text": \
      "{\\"reason\\": \\"teapot\\"}"}}}

      """
    let har = "{\"log\": {\"version\": \"1.2\", \"entries\": [\(exchange)]}}"
    try withProject(Shop.files.merging(["a.ndjson": exchange, "a.har": har]) { $1 }) { folder in
      let verification = ["verify", "shop.yaml", "--har", "a.har"]
      #expect(try Command.run(Command.path, verification, in: folder).code == 1)
      let recorded = try Command.run("record", "shop.yaml", "--from", "a.ndjson", option, "gaps.yaml", in: folder)
      #expect(recorded.code == 0, "\(recorded.error)")
      let valid = try Command.run(Command.path, verification + ["--apply-overlay", "gaps.yaml"], in: folder)
      #expect(valid.code == 0, "\(valid.output)\(valid.error)")
      let mock = try ServedMock(["shop.yaml", "--apply-overlay", "gaps.yaml"], in: folder)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1?__code=418").status == 418)
    }
  }
}
