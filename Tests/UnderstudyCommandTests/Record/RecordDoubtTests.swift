import Foundation
import Testing
import UnderstudyTestSupport

/// `record` where files may hold a secret.
struct RecordDoubtTests {
  private static let key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"

  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: https://shop.example/v1}]
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses:
            "200": {description: A pet., content: {application/json: {schema: {type: object}}}}
            "204": {description: 'As \(key) says.'}

    """

  private static func entry(_ target: String, _ status: Int, _ body: String) -> String {
    """
    {"startedDateTime": "2026-11-21T10:41:00.123Z", "request": {"method": "GET", "url": "https://shop.example\(target)", \
    "headers": []}, "response": {"status": \(status), "headers": \(body.isEmpty ? "[]" : "[\(json)]"), \
    "content": {"size": \(body.utf8.count), "mimeType": "application/json", "text": "\(body)"}}}

    """
  }

  private static let json = #"{"name": "Content-Type", "value": "application/json"}"#

  private static let session =
    entry("/v1/pets/1", 200, "{}") + entry("/v1/pets/1", 204, "") + entry("/v1/dogs/\(key)", 200, "{}")

  @Test func `files without doubt are written, the others are put aside, and the exit code is 1`() throws {
    try withProject(["api.yaml": Self.contract, "t.ndjson": Self.session]) { folder in
      let result = try Command.run("record", "api.yaml", "--from", "t.ndjson", in: folder)
      #expect(result.code == 1, "\(result.error)")
      #expect(
        result.output == """
          wrote fixtures/api/readPet/200.json
          put aside fixtures/_doubtful/api/readPet/204.yaml
          put aside fixtures/_doubtful/api/_scenarios/recorded.yaml

          """)
      #expect(
        result.error.hasSuffix(
          """
          next: understudy serve api.yaml; understudy verify api.yaml
          what still looks like a secret:
            fixtures/_doubtful/api/readPet/204.yaml:1: sk_l... (32 bytes) [redact.prefix]
          error: put aside in fixtures/_doubtful: 1 file with what looks like a secret
            help: record again with --redact PLACE, which replaces the values, or with --allow-secret redact.prefix; or \
          look at the files and move them

          """), "\(result.error)")
      #expect(!result.error.contains(Self.key))
      let verified = try Command.run("verify", "api.yaml", in: folder)
      #expect(verified.code == 0, "\(verified.output)")
      let allowed = try Command.run(
        "record", "api.yaml", "--from", "t.ndjson", "--allow-secret", "redact.prefix", in: folder)
      #expect(allowed.code == 0 && allowed.output.contains("wrote fixtures/api/readPet/204.yaml"), "\(allowed.error)")
    }
  }

  @Test func `another recording keeps an edited file, and the summary names the new one`() throws {
    try withProject(["api.yaml": Self.contract, "t.ndjson": Self.session]) { folder in
      _ = try Command.run("record", "api.yaml", "--from", "t.ndjson", in: folder)
      let edited = folder + "/fixtures/_doubtful/api/readPet/204.yaml"
      try write(["fixtures/_doubtful/api/readPet/204.yaml": "# edited"], in: folder)
      let result = try Command.run("record", "api.yaml", "--from", "t.ndjson", in: folder)
      #expect(result.code == 1)
      #expect(
        result.output == """
          put aside fixtures/_doubtful/2/api/readPet/204.yaml
          put aside fixtures/_doubtful/2/api/_scenarios/recorded.yaml

          """)
      #expect(
        result.error.contains("fixtures/_doubtful/2/api/readPet/204.yaml:1: sk_l... (32 bytes) [redact.prefix]"),
        "\(result.error)")
      #expect(try String(contentsOfFile: edited, encoding: .utf8) == "# edited")
    }
  }

  @Test func `a folder apart that is a link is an error before anything is recorded`() throws {
    try withProject(["api.yaml": Self.contract, "t.ndjson": Self.session, "other/a": "", "fixtures/a": ""]) { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/fixtures/_doubtful", withDestinationPath: "../other")
      let result = try Command.run("record", "api.yaml", "--from", "t.ndjson", in: folder)
      #expect(result.code == 2)
      #expect(
        result.error == """
          error: fixtures/_doubtful: this is a symbolic link, and possible secrets are not written behind links
            help: remove the link

          """)
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder + "/other") == ["a"])
    }
  }
}
