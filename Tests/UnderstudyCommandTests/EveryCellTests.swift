import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Every cell that `routes` lists is a header away on a live server.
struct EveryCellTests {
  @Test(arguments: ["slp", "petstore"])
  func `every cell answers as routes shows`(_ name: String) throws {
    let listing = try Command.run("routes", "specs/\(name).yaml", "--format", "json")
    #expect(listing.code == 0)
    let mock = try ServedMock(["specs/\(name).yaml", "--quiet", "--no-watch"])
    defer { mock.stop() }
    let client = try RawClient(port: mock.port)
    var count = 0
    let document = try JSONParser.parse(Array(listing.output.utf8))
    for operation in try #require(document.root["contracts"]?[0]?["operations"]).elements {
      let target = try #require(operation["basePaths"]?[0]?.string) + Self.path(operation["path"]?.string ?? "")
      let method = operation["method"]?.string ?? ""
      let folder = "fixtures/" + (operation["folder"]?.string ?? "")
      for cell in try #require(operation["cells"]).elements {
        let status = cell["status"]?.string ?? ""
        try client.send(
          "\(method) \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nPrefer: code=\(status)\r\n\r\n")
        let response = try client.response()
        let label = "\(operation["id"]?.string ?? "")/\(status)"
        // `default` has no number of its own.
        #expect(response.status == (Int(status) ?? 500), "\(label)")
        let reply = response["understudy-reply"] ?? ""
        if let fixture = cell["fixture"]?.string {
          #expect(reply == "fixture \(label)")
          #expect(response.body == (try Self.body(of: folder + "/" + fixture)), "\(label)")
        } else {
          let answer = cell["answer"]?.string ?? ""
          #expect(reply.hasPrefix("\(answer == "empty" ? "contract" : answer) \(label)"), "\(reply)")
          #expect(response.body.isEmpty == (answer == "empty"), "\(label)")
        }
        count += 1
      }
    }
    #expect(count == (name == "slp" ? 109 : 19))
  }

  /// A path with a value for each of its expressions.
  private static func path(_ template: String) -> String { template.replacing(/\{[^}]*\}/, with: "1") }

  /// The bytes that a fixture stands for; of a description, as its keys have it.
  private static func body(of path: String) throws -> String {
    let text = try Project.text(path)
    guard path.hasSuffix(".yaml") else { return text }
    let description = try TextDocument.read(SourceFile(path: path, text: text)).root
    if let body = description["body"] { return JSONWriter.text(body) }
    if let text = description["text"]?.string { return text }
    return try description["bodyFile"]?.string.map { name in
      try Project.text(URL(filePath: path).deletingLastPathComponent().relativePath + "/" + name)
    } ?? ""
  }
}
