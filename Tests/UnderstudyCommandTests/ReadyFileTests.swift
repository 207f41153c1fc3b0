import Foundation
import Testing
import UnderstudyTestSupport

struct ReadyFileTests {
  @Test func `the file holds the URL for as long as the mock listens`() throws {
    try withProject(Shop.files.merging(["ready": "http://127.0.0.1:1\n"]) { first, _ in first }) { folder in
      let mock = try ServedMock(["shop.yaml", "--ready-file", "ready"], in: folder)
      #expect(try String(contentsOfFile: "\(folder)/ready", encoding: .utf8) == "\(mock.url)\n")
      mock.stop()
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/ready"))
    }
  }

  @Test func `a file with other content is left alone`() throws {
    try withProject(Shop.files.merging(["notes.md": "mine"]) { first, _ in first }) { folder in
      let result = try Command.run("serve", "shop.yaml", "--ready-file", "notes.md", in: folder)
      #expect(
        result.error == """
          error: `--ready-file notes.md` would replace a file with other content
            help: remove it, or give the ready file another name

          """)
      #expect(result.code == 2)
      #expect(try String(contentsOfFile: "\(folder)/notes.md", encoding: .utf8) == "mine")
    }
  }

  @Test func `a pipe without a reader is an error`() throws {
    try withProject(Shop.files) { folder in
      #expect(mkfifo(folder + "/ready", 0o600) == 0)
      let result = try Command.run("serve", "shop.yaml", "--port", "0", "--ready-file", "ready", in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.hasSuffix(
          """
          error: `--ready-file ready`: expected a file or a pipe with a reader, found a pipe without a reader, or a socket
            help: name a file, or start the reader of the pipe first

          """), "\(result.error)")
    }
  }

  @Test func `a pipe gets the URL`() throws {
    try withProject(Shop.files) { folder in
      let script = """
        mkfifo ready
        "$0" serve shop.yaml --port 0 --ready-file ready 2>log & mock=$!
        curl -s "$(cat ready)/pets/1"
        kill $mock
        wait $mock
        """
      let result = try Command.run("/bin/sh", ["-c", script, Command.path], in: folder)
      #expect(result.output == "{\"name\":\"Tom\"}", "\(result.error)")
    }
  }
}
