import Foundation
import Testing
import UnderstudyTestSupport

/// Servers, disks and folders that fail under a recording: the message says what, and nothing half written is left.
struct RecordFaultTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: https://shop.example}]
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: A pet., content: {application/json: {}}}}

    """

  /// A recording with two pets, the second of which is large.
  private static func har(size: Int = 200_000) -> String {
    let note = String(repeating: "x", count: size)
    let bodies = [#"{\"name\":\"Tom\"}"#, #"{\"name\":\"Rex\",\"note\":\"\#(note)\"}"#]
    let entries = bodies.enumerated().map { index, body in
      """
      {"startedDateTime": "2026-11-21T09:41:00Z", "request": {"method": "GET", "url": "https://shop.example/pets/\(index)"},
       "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}],
        "content": {"size": 1, "mimeType": "application/json", "text": "\(body)"}}}
      """
    }
    return #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": ["#
      + entries.joined(separator: ",") + "]}}"
  }

  @Test(.enabled(if: TrustTests.isPossible, "skipped: no Python or no openssl"))
  func `a certificate that is not trusted is named in the summary, and nothing is written`() throws {
    try TrustTests.withServer { server, folder in
      let proxy = try ServedMock(["shop.yaml", "--upstream", server], command: "record", in: folder)
      #expect(try Curl.get(proxy.url + "/pets/1").status == 502)
      let (code, printed) = proxy.end()
      #expect(code == 4)
      #expect(
        printed.contains(
          "  1 exchange: the upstream did not answer: its certificate is not trusted: name its authority with --cacert ("
        ),
        "\(printed)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures"))
    }
  }

  @Test func `a disk without room leaves the fixtures that were there`() throws {
    let old = ["fixtures/shop/readPet/200.json": "{\n  \"name\": \"by hand\"\n}\n"]
    try withProject(["shop.yaml": Self.contract, "a.har": Self.har()].merging(old) { $1 }) { folder in
      let result = try Command.run(
        "/bin/sh", ["-c", #"ulimit -f 64; exec "$0" record shop.yaml --from a.har"#, Command.path], in: folder)
      #expect(result.code == 2)
      #expect(result.error.hasPrefix("error: nothing was written: "), "\(result.error)")
      #expect(result.error.contains(": File too large\n  help: free some space, or choose another folder"))
      #expect(try Self.files(folder + "/fixtures") == ["shop", "shop/readPet", "shop/readPet/200.json"])
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"), "skipped: no unshare"))
  func `a disk that is full when the fixtures are written is an error`() throws {
    try withTemporaryFolder { folder in
      let mount = "mount -t tmpfs -o size=64k none small"
      let run = #"\#(mount) && "$0" record shop.yaml --from a.har --fixtures small/new/fixtures; echo $?; find small"#
      try FileManager.default.createDirectory(atPath: folder + "/small", withIntermediateDirectories: true)
      try write(["shop.yaml": Self.contract, "a.har": Self.har()], in: folder)
      let isAllowed = try Command.run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", mount], in: folder).code == 0
      guard isAllowed else { return print("skipped: no mount") }
      let result = try Command.run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", run, Command.path], in: folder)
      #expect(result.output == "2\nsmall\n")
      #expect(result.error.contains("nothing was written: "), "\(result.error)")
      #expect(result.error.contains("No space left on device"), "\(result.error)")
    }
  }

  @Test func `a folder in the place of a file is an error before any file is written`() throws {
    let project = ["shop.yaml": Self.contract, "a.har": Self.har(size: 1), "fixtures/shop/_recorded.yaml/keep.txt": ""]
    try withProject(project) { folder in
      let result = try Command.run("record", "shop.yaml", "--from", "a.har", in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.hasPrefix("error: fixtures/shop/_recorded.yaml: "),
        "\(result.error)")
      #expect(
        try Self.files(folder + "/fixtures") == ["shop", "shop/_recorded.yaml", "shop/_recorded.yaml/keep.txt"])
    }
  }

  @Test func `a folder that cannot be written to is an error before anything is recorded`() throws {
    try withProject(["shop.yaml": Self.contract, "a.har": Self.har(size: 1), "fixtures/shop/keep.txt": ""]) { folder in
      let fixtures = folder + "/fixtures"
      // Permissions do not stop root, and not every file system can make a folder immutable.
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: fixtures)
      _ = try? Command.run("/usr/bin/chattr", ["+i", fixtures], in: folder)
      defer {
        _ = try? Command.run("/usr/bin/chattr", ["-i", fixtures], in: folder)
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: fixtures)
      }
      guard !FileManager.default.createFile(atPath: fixtures + "/probe", contents: nil) else {
        try FileManager.default.removeItem(atPath: fixtures + "/probe")
        return print("skipped: everything can be written to")
      }
      let result = try Command.run("record", "shop.yaml", "--from", "a.har", in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.hasPrefix("error: no fixtures can be written to fixtures: permission denied\n"), "\(result.error)")
    }
  }

  @Test func `a contract that does not load is reported with its place`() throws {
    try withProject(["shop.yaml": "openapi: 3.1.0\npaths: [", "a.har": Self.har(size: 1)]) { folder in
      let result = try Command.run("record", "shop.yaml", "--from", "a.har", in: folder)
      #expect(result.code == 3)
      #expect(result.error.contains("shop.yaml:2"), "\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures"))
    }
  }

  private static func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }
}
