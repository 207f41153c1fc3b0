import Foundation
import Testing
import UnderstudyTestSupport

/// `record --write-overlay` as a command.
struct RecordOverlayTests {
  private static func contract(_ name: String) -> String {
    """
    openapi: 3.1.0
    info: {title: \(name), version: "1"}
    servers: [{url: https://\(name).example}]
    paths:
      /\(name):
        get: {operationId: read\(name), responses: {"200": {description: Ok., content: {application/json: {}}}}}

    """
  }

  private static func line(_ name: String, _ status: Int) -> String {
    """
    {"request": {"method": "GET", "url": "https://\(name).example/\(name)"}, "response": {"status": \(status), \
    "headers": [{"name": "Content-Type", "value": "application/json"}], \
    "content": {"mimeType": "application/json", "text": "{}"}}}

    """
  }

  @Test func `each of several contracts has an overlay of its own`() throws {
    let files = [
      "shop.yaml": Self.contract("shop"), "user.yaml": Self.contract("user"), "full.yaml": Self.contract("full"),
      "a.ndjson": Self.line("shop", 404) + Self.line("user", 500) + Self.line("full", 200),
    ]
    try withProject(files) { folder in
      let result = try Command.run(
        "record", "shop.yaml", "user.yaml", "full.yaml", "--from", "a.ndjson", "--write-overlay", "out/gaps.yaml",
        in: folder)
      #expect(result.code == 0, "\(result.error)")
      #expect(result.output.hasPrefix("wrote out/gaps.shop.yaml\nwrote out/gaps.user.yaml\nwrote fixtures/"))
      for (name, status) in [("shop", "404"), ("user", "500")] {
        let text = try String(contentsOfFile: "\(folder)/out/gaps.\(name).yaml", encoding: .utf8)
        #expect(text.contains("$.paths['/\(name)'].get.responses"))
        #expect(text.contains("\"\(status)\":\n"), "\(text)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out").count == 2)
    }
  }

  @Test func `a recording without a client is not recorded where nothing is written`() throws {
    try withProject(["shop.yaml": Self.contract("shop"), "a.ndjson": Self.line("shop", 200)]) { folder in
      let result = try Command.run("record", "shop.yaml", "--from", "a.ndjson", "--mode", "none", in: folder)
      #expect(result.code == 2)
      #expect(result.error.hasPrefix("error: --mode none writes nothing, and a recording has no client to answer\n"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures"))
    }
  }

  @Test func `an overlay replaces an overlay, and no other file`() throws {
    let files = ["shop.yaml": Self.contract("shop"), "a.ndjson": Self.line("shop", 404)]
    try withProject(files) { folder in
      let arguments = ["record", "shop.yaml", "--from", "a.ndjson", "--write-overlay"]
      let refused = try Command.run(Command.path, arguments + ["shop.yaml"], in: folder)
      #expect(refused.code == 2)
      #expect(
        refused.error == """
          error: shop.yaml exists and is not an overlay, which would replace it
            help: choose another file: it gets what the contract lacks, and the contract stays as it is

          """)
      #expect(try String(contentsOfFile: "\(folder)/shop.yaml", encoding: .utf8) == Self.contract("shop"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures"))
      for _ in 1...2 {
        #expect(try Command.run(Command.path, arguments + ["gaps.yaml"], in: folder).code == 0)
      }
    }
  }

  @Test func `an overlay that is applied is not replaced`() throws {
    let overlay =
      "overlay: 1.0.0\ninfo: {title: T, version: \"1\"}\nactions: [{target: $.info, update: {title: New}}]\n"
    let files = ["shop.yaml": Self.contract("shop"), "a.ndjson": Self.line("shop", 404), "gaps.yaml": overlay]
    try withProject(files) { folder in
      let result = try Command.run(
        "record", "shop.yaml", "--from", "a.ndjson", "--apply-overlay", "gaps.yaml", "--write-overlay", "./gaps.yaml",
        in: folder)
      #expect(result.code == 2)
      #expect(
        result.error == """
          error: `--write-overlay ./gaps.yaml` would replace an overlay that is applied
            help: write another file, and apply both: `--apply-overlay` may be repeated

          """)
      #expect(try String(contentsOfFile: "\(folder)/gaps.yaml", encoding: .utf8) == overlay)
    }
  }

  @Test func `a contract that lacks nothing has no overlay`() throws {
    try withProject(["full.yaml": Self.contract("full"), "a.ndjson": Self.line("full", 200)]) { folder in
      let result = try Command.run(
        "record", "full.yaml", "--from", "a.ndjson", "--write-overlay", "gaps.yaml", in: folder)
      #expect(result.error.hasPrefix("the contract lacks nothing: no overlay\n"), "\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/gaps.yaml"))
    }
  }
}
