import Foundation
import Testing
import UnderstudyTestSupport

/// `serve` with data files in place of contracts.
@Suite(.waitsForProcesses)
struct DataFileTests {
  private static let data = #"{"posts": [{"id": 1, "title": "Hello"}], "profile": {"name": "typicode"}}"#

  @Test func `a data file is served as collections, and never written`() throws {
    try withProject(["db.json": Self.data]) { folder in
      let mock = try ServedMock(["db.json"], in: folder)
      let body = Scenario.Exchange(
        method: "POST", target: "/posts", headers: [("Content-Type", "application/json")], body: #"{"title": "New"}"#)
      let created = try Curl.send(body, to: mock.url)
      #expect(created.status == 201)
      #expect(created.headers["location"] == "/posts/2")
      #expect(try Curl.get(mock.url + "/posts?title_like=new").body == #"[{"title":"New","id":2}]"#)
      #expect(mock.waits(for: "resource posts, 1 of 1"))
      let (code, printed) = mock.end()
      #expect(code == 0)
      #expect(
        printed.contains(
          "  collections: posts (list, create, read, replace, update, delete), profile (read, replace, update)\n"))
      #expect(try String(contentsOfFile: "\(folder)/db.json", encoding: .utf8) == Self.data)
    }
  }

  @Test func `a change of the data begins its collection anew and keeps the others`() throws {
    try withProject(["data/posts.json": "[]", "data/users.json": #"[{"id": 1}]"#]) { folder in
      let mock = try ServedMock(["data/"], in: folder)
      defer { mock.stop() }
      let delete = Scenario.Exchange(method: "DELETE", target: "/users/1", headers: [], body: "")
      #expect(try Curl.send(delete, to: mock.url).status == 200)
      #expect(try Curl.get(mock.url + "/posts").body == "[]")
      try Data(#"[{"id": 7}]"#.utf8).write(to: URL(filePath: "\(folder)/data/posts.json"))
      #expect(mock.waits(for: "reloaded after a change of data/posts.json; posts begin anew"))
      #expect(try Curl.get(mock.url + "/posts").body == #"[{"id":7}]"#)
      #expect(try Curl.get(mock.url + "/users").body == "[]")
      try Data("{}".utf8).write(to: URL(filePath: "\(folder)/data/me.json"))
      #expect(mock.waits(for: "reloaded after a change of data/me.json"))
      #expect(try Curl.get(mock.url + "/me").body == "{}")
    }
  }

  @Test func `lint reports what is not served`() throws {
    try withProject(["db.json": #"{"posts": [{"id": 1}, {"id": 1}]}"#]) { folder in
      let result = try Command.run("lint", "db.json", in: folder)
      #expect(result.code == 1)
      #expect(result.output.contains("db.json:1:30: error: the id 1 of `posts` is taken: the item is not served"))
      #expect(result.output.contains("db.json:1:19: note: the first item with this id"))
    }
  }

  @Test func `infer writes the contract of data, with which the same data is served`() throws {
    try withProject(["db.json": Self.data]) { folder in
      let result = try Command.run("infer", "db.json", "-o", "blog.yaml", "--title", "Blog", in: folder)
      #expect(result.code == 0)
      #expect(result.output == "wrote blog.yaml\n")
      #expect(
        result.error == """
          written from the collections of db.json
          next: understudy lint blog.yaml; understudy serve blog.yaml

          """)
      let mock = try ServedMock(["blog.yaml"], in: folder)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/posts").body == #"[{"id":1,"title":"Hello"}]"#)
    }
  }
}
