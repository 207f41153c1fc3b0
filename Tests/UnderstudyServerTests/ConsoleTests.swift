import Foundation
import Testing
import UnderstudyConsole
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// The page at `/__admin/`.
  struct ConsoleTests {
    private static let folder = Project.path("Sources/UnderstudyConsole/Web")

    @Test func `the program has the files of the folder`() throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
      #expect(ConsoleFile.all.map(\.name).sorted() == names)
      for file in ConsoleFile.all {
        let text = try String(contentsOfFile: "\(Self.folder)/\(file.name)", encoding: .utf8)
        #expect(file.text == text)
      }
      #expect(ConsoleFile.all.reduce(0) { $0 + $1.body.count } < 100_000)
    }

    @Test func `scripts make no markup from texts, and load nothing from elsewhere`() {
      for file in ConsoleFile.all {
        for word in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "new Function", "://"] {
          // The name of SVG, which is not an address.
          let text = file.text.replacing("http://www.w3.org/2000/svg", with: "")
          #expect(!text.contains(word), "\(file.name) has \(word)")
        }
      }
    }

    @Test func `the page and its files are served with a policy, and other names are refused`() async throws {
      let mock = try ContractFixture("openapi: 3.1.0\ninfo: {title: A, version: \"1\"}\npaths: {}\n").mock()
      let settings = AdminSettings(isLocal: true, console: ConsoleFile.all)
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: settings)
      try await UnderstudyServerTests.serving(host.responder(for: mock)) { port, _ in
        let client = try RawClient(port: port)
        func get(_ target: String, _ fields: String = "") throws -> RawClient.Response {
          try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
          return try client.response()
        }
        for file in ConsoleFile.all {
          let target = file.name == "index.html" ? "/__admin/" : "/__admin/console/\(file.name)"
          let reply = try get(target)
          let text = file.text.replacing("\"CONSOLE-KEY\"", with: "\"\(settings.consoleKey)\"")
          #expect(reply.status == 200 && reply.body == text && reply["content-type"] == file.type)
          #expect(reply["content-security-policy"]?.contains("default-src 'none'; script-src 'self'") == true)
        }
        let bare = try get("/__admin")
        #expect(bare.status == 308 && bare["location"] == "/__admin/")
        // The script of another page may read the console, but not its key.
        let script = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: empty\r\n"
        let read = try get("/__admin/", script)
        #expect(read.status == 200 && !read.body.contains(settings.consoleKey))
        #expect(try get("/__admin/health", script).status == 403)
        // A page that opens it in a window may read that window.
        let window = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n"
        let opened = try get("/__admin/", window)
        #expect(
          opened.status == 200 && opened.body.contains("content=\"\"") && !opened.body.contains(settings.consoleKey))
        #expect(try get("/__admin/health?key=\(settings.consoleKey)", script).status == 200)
        for name in ["nothing.js", "..", "%2e%2e", "index.html%00"] {
          #expect(try get("/__admin/console/\(name)").status == 404, "\(name)")
        }
      }
    }
  }
}

extension OverSockets.ConsoleTests {
  @Test func `a server without a console says so`() async throws {
    let mock = try ContractFixture("openapi: 3.1.0\ninfo: {title: A, version: \"1\"}\npaths: {}\n").mock()
    let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
    try await UnderstudyServerTests.serving(host.responder(for: mock)) { port, _ in
      let client = try RawClient(port: port)
      try client.send("GET /__admin/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let reply = try client.response()
      #expect(reply.status == 404 && reply.body.contains("this server has no console"), "\(reply.body)")
    }
  }
}

extension ConsoleFile {
  fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
