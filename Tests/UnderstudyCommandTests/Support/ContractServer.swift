import Foundation
import UnderstudyTestSupport

/// A server of documents by path, which prints each path that it is asked for.
struct ContractServer {
  struct Page {
    var type = "application/json"
    var text = ""
    var status = 200
    var location: String?
  }

  let server: PythonServer

  var url: String { "http://127.0.0.1:\(server.port)" }

  /// - Parameter pages: `URL` in a text stands for the server's own address.
  init(_ pages: [String: Page]) throws {
    let table = pages.mapValues { [$0.type, $0.text, String($0.status), $0.location ?? ""] }
    let data = try JSONSerialization.data(withJSONObject: table).base64EncodedString()
    server = try PythonServer(
      "import base64, json\npages = json.loads(base64.b64decode('\(data)'))\n"
        + PythonServer.handler(
          """
          def do_GET(self):
              print("asked for", self.path, self.headers.get("Authorization", ""))
              page = pages.get(self.path)
              if page is None: return self.answer(404, b"nothing here")
              text = page[1].replace("URL", "http://127.0.0.1:%d" % server.server_port)
              fields = {"Location": page[3].replace("URL", "http://127.0.0.1:%d" % server.server_port)} if page[3] else {}
              self.answer(int(page[2]), text.encode(), Content_Type=page[0], **fields)
          """))
  }

  func stop() { server.stop() }

  /// How often a path was asked for.
  func count(of path: String) -> Int { server.printed.components(separatedBy: "asked for \(path) ").count - 1 }
}
