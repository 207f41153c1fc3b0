import Foundation
import TestSupport
import Testing

/// `serve --lane-port`.
struct LanePortTests {
  @Test func `a port of its own reaches its lane, and no other one`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--lane-port", "alice=0", "--lane-port", "bob=0"], in: folder)
      defer { mock.stop() }
      #expect(mock.waits(for: "  lane bob: http://"))
      let urls = mock.printed.matches(of: /lane (?:alice|bob): (http:\/\/\S+)/).map { String($0.output.1) }
      try #require(urls.count == 2, "\(mock.printed)")
      let force = Scenario.Exchange(
        method: "POST", target: "/__admin/lanes", headers: [("Content-Type", "application/json")],
        body: #"{"name": "alice", "force": {"readPet": 404}}"#)
      #expect(try Curl.send(force, to: urls[1]).status == 201)
      #expect(try Curl.get(urls[0] + "/pets/1").status == 404)
      #expect(try Curl.get(urls[1] + "/pets/1").status == 200)
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      #expect(try Curl.get(mock.url + "/~alice/pets/1").status == 404)
      let verdict = try Curl.get(mock.url + "/__admin/lanes/bob").body
      #expect(verdict.contains(#""requests": 1"#), "\(verdict)")
    }
  }

  @Test func `a port that is taken ends the start`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let result = try Command.run(
        "serve", "shop.yaml", "--port", "0", "--lane-port", "alice=\(mock.port)", in: folder)
      #expect(result.error.contains("\(mock.port)") && result.code == 3, "\(result)")
    }
  }

  @Test(arguments: [
    ("alice", "error: `--lane-port alice` is incomplete\n  help: expected a lane and a port from 0 to 65535"),
    ("alice=70000", "error: `--lane-port alice=70000` is incomplete"),
    ("../x=4011", "error: `--lane-port`: `../x` is not the name of a lane\n  help: expected 1 to 64 letters"),
    ("default=4011", "error: the lane `default` has the port of `--port`"),
  ]) func `a wrong lane or port is refused with the way out`(_ text: String, _ message: String) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("serve", "shop.yaml", "--lane-port", text, in: folder)
      #expect(result.error.contains(message) && result.code == 2, "\(result)")
    }
  }
}
