import Foundation
import Testing
import UnderstudyTestSupport

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

  @Test func `a lane gets a port while the mock runs, and loses it when the lane is closed`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      func ctl(_ arguments: String...) throws -> Command.Result {
        try Command.run(Command.path, ["ctl"] + arguments + ["--url", mock.url])
      }
      let opened = try ctl("open", "alice", "--port", "0")
      let url = String(opened.output.dropLast())
      #expect(url.hasPrefix("http://127.0.0.1:") && url != mock.url && opened.code == 0, "\(opened)")
      _ = try ctl("force", "readPet=404", "--lane", "alice")
      #expect(try Curl.get(url + "/pets/1").status == 404)
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      #expect(try ctl("lanes").output == "default  \(mock.url)\nalice    \(url)\n")
      #expect(
        try ctl("open", "alice", "--port", "0").error
          == "error: the lane `alice` has the port \(url.split(separator: ":").last ?? "")\n  help: leave `port` out\n")
      let taken = try ctl("open", "bob", "--port", String(mock.port))
      #expect(
        taken.error.contains("port \(mock.port) is taken; choose another, or 0 for a free one") && taken.code == 2,
        "\(taken)")
      #expect(try ctl("lanes").output.contains("bob") == false)
      let closed = try ctl("close", "alice")
      #expect(closed.output == "passed: 1 request in the lane `alice`\n", "\(closed)")
      #expect(try Curl.get(url + "/pets/1").status == 0)
      #expect(try ctl("open", "bob", "--port", String(url.split(separator: ":").last ?? "")).output == url + "\n")
    }
  }

  @Test func `a port that is taken ends the start`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let result = try Command.run(
        "serve", "shop.yaml", "--port", "0", "--lane-port", "alice=\(mock.port)", in: folder)
      #expect(
        result.error.contains("`--lane-port alice=\(mock.port)`: port \(mock.port) is taken; choose another, or 0")
          && result.code == 3, "\(result)")
    }
  }

  @Test func `two lanes cannot have one port`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "serve", "shop.yaml", "--lane-port", "alice=4013", "--lane-port", "bob=4013", in: folder)
      #expect(
        result.error == """
          error: `--lane-port bob=4013`: the port 4013 is that of the lane `alice`
            help: name another port, or 0 for a free one

          """ && result.code == 2, "\(result)")
    }
  }

  @Test func `ctl at the address of a lane directs this lane`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--lane-port", "alice=0"], in: folder)
      defer { mock.stop() }
      #expect(mock.waits(for: "  lane alice: http://"))
      let port = try #require(mock.printed.firstMatch(of: /lane alice: (http:\/\/\S+)/)).output.1
      #expect(try Curl.get(port + "/pets/1").status == 200)
      func ctl(_ arguments: String..., url: String) throws -> String {
        let result = try Command.run(Command.path, ["ctl"] + arguments + ["--url", url])
        return result.output + result.error
      }
      #expect(
        try ctl("force", "readPet=404", url: String(port)) == "lane      alice\nforced    readPet=404\n")
      #expect(try Curl.get(port + "/pets/1").status == 404)
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      #expect(
        try ctl("lanes", url: String(port)) == "default  \(port)/~default\nalice    \(port)\n")
      #expect(try Curl.get(port + "/~default/pets/1").status == 200)
      #expect(try ctl("release", url: mock.url + "/~alice") == "lane      alice\n")
      #expect(try ctl("reset", url: mock.url + "/~alice/") == "the lane `alice` begins anew\n")
      #expect(try ctl("force", "readPet=404", "--lane", "default", url: String(port)).hasPrefix("lane      default\n"))
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
      #expect(try Curl.get(port + "/pets/1").status == 200)
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
