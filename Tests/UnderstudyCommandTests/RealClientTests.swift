import Foundation
import Testing
import UnderstudySchema
import UnderstudyTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forms, files and JSON as real clients write them, sent to a live mock.
struct RealClientTests {
  /// A request to the petstore and its expected result.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var curl: [String]
    var status: Int
    /// A piece of the log; empty for a request without findings.
    var log = ""
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a form", curl: ["-d", "customer=Ann", "-d", "extras=leash", "-d", "extras=bowl", "/pets/3"], status: 204),
    Case(
      name: "a form with text that needs encoding",
      curl: ["--data-urlencode", "customer=a&b=c+d 한글", "-d", "until=2030-01-31", "/pets/3"], status: 204),
    Case(
      name: "a form without its required field", curl: ["-d", "until=2030-01-31", "/pets/3"], status: 422,
      log: "the property `customer` is missing"),
    Case(
      name: "a form with brackets", curl: ["-d", "customer=Ann&extras[]=leash", "/pets/3"], status: 422,
      log: "was sent with brackets, as `extras[]=`"),
    Case(
      name: "a form sent as parts", curl: ["-F", "customer=Ann", "/pets/3"], status: 415,
      log: "Content-Type `multipart/form-data` is not declared"),
    Case(
      name: "parts with a file",
      curl: ["-F", "photo=@FILE;type=image/png", "-F", "caption=한글 & more", "/pets/3/photos"],
      status: 201),
    Case(
      name: "parts sent in chunks",
      curl: ["-H", "Transfer-Encoding: chunked", "-F", "photo=@FILE", "/pets/3/photos"], status: 201),
    Case(
      name: "parts without the file", curl: ["-F", "caption=none", "/pets/3/photos"], status: 400,
      log: "the property `photo` is missing"),
    Case(
      name: "parts with a caption that is too long",
      curl: ["-F", "photo=@FILE", "-F", "caption=\(String(repeating: "x", count: 141))", "/pets/3/photos"], status: 400,
      log: "at most 140 characters"),
    Case(
      name: "a file sent as a form", curl: ["-d", "photo=x", "/pets/3/photos"], status: 415, log: "is not declared"),
  ]

  @Test(arguments: cases) func `curl sends forms and files`(_ example: Case) throws {
    try withProject(["cat.png": "\u{89}PNG\u{0}\r\n--x\r\n"]) { folder in
      let mock = try ServedMock(["specs/petstore.yaml"])
      defer { mock.stop() }
      var arguments = example.curl.map { $0.replacing("FILE", with: folder + "/cat.png") }
      arguments[arguments.count - 1] = mock.url + "/api" + (arguments.last ?? "")
      let result = try Command.run(
        "/usr/bin/curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "X-Api-Key: k"] + arguments)
      #expect(result.output == "\(example.status)")
      if example.log.isEmpty {
        #expect(!mock.printed.contains("error:") && !mock.printed.contains("warning:"), "\(mock.printed)")
      } else {
        #expect(mock.waits(for: example.log), "\(mock.printed)")
      }
    }
  }

  @Test func `curl sends a form that gzip has coded`() throws {
    let mock = try ServedMock(["specs/slp.yaml"])
    defer { mock.stop() }
    func status(of form: String) throws -> String {
      try Command.run(
        "/bin/sh",
        [
          "-c",
          "printf '\(form)' | gzip | curl -s -o /dev/null -w '%{http_code}' -H 'idtoken: x' -H 'Content-Encoding: gzip' "
            + "--data-binary @- \(mock.url)/v1/user",
        ]
      ).output
    }
    let rest = "phoneNumber=%2B821012345678&FCMtoken=t&birth=2000-01-16T09:23:44.054Z&email=a%40b.kr&gender=1"
    #expect(try status(of: "nick=Tom&\(rest)".replacing("%", with: "%%")) == "200")
    // A `when` sees the text, not the coded bytes.
    #expect(try status(of: "nick=미묘한도사&\(rest)".replacing("%", with: "%%")) == "202")
    #expect(try status(of: rest.replacing("%", with: "%%")) == "501")
  }

  /// urllib is part of Python; `requests`, where it is installed, has to come to the same.
  @Test(arguments: ["urllib", "requests"]) func `Python sends forms, files and JSON`(library: String) throws {
    let check = try Command.run("/usr/bin/env", ["python3", "-c", "import \(library)"])
    guard check.code == 0 else {
      #expect(library == "requests", "there is no python3: \(check.error)")
      return
    }
    let mock = try ServedMock(["specs/petstore.yaml"])
    defer { mock.stop() }
    let script = library == "requests" ? Self.requests : Self.urllib
    let result = try Command.run("/usr/bin/env", ["python3", "-", mock.url + "/api"], input: script)
    #expect(result.output == "204 422 201 400 201 400 200 404\n", "\(result.error)\n\(mock.printed)")
    #expect(mock.waits(for: "the property `name` is missing"))
  }

  private static let requests = """
    import requests, sys
    url = sys.argv[1]
    s = requests.Session()
    s.headers["X-Api-Key"] = "k"
    answers = [
        s.post(url + "/pets/3", data={"customer": "a&b=c+d 한글", "extras": ["leash", "bowl"]}),
        s.post(url + "/pets/3", data={"extras": "leash"}),
        s.post(url + "/pets/3/photos", files={"photo": ("cat.png", b"\\x89PNG", "image/png")}, data={"caption": "한글"}),
        s.post(url + "/pets/3/photos", data={"caption": "x"}, files={"other": b"1"}),
        s.post(url + "/pets", json={"name": "Biscuit", "kind": "dog"}),
        s.post(url + "/pets", json={"kind": "dog"}),
        s.get(url + "/pets", params={"status": ["available", "sold"], "limit": 5}),
        s.get(url + "/pets/3", headers={"Prefer": "code=404"}),
    ]
    print(*[answer.status_code for answer in answers])
    """

  private static let urllib = """
    import json, sys, urllib.error, urllib.parse, urllib.request
    url = sys.argv[1]

    def send(path, body=None, kind=None, **headers):
        headers["X-Api-Key"] = "k"
        if kind: headers["Content-Type"] = kind
        request = urllib.request.Request(url + path, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request) as answer: return answer.status
        except urllib.error.HTTPError as error: return error.code

    def form(fields): return urllib.parse.urlencode(fields, doseq=True).encode()

    def parts(*parts):
        text = b"".join(b"--edge\\r\\nContent-Disposition: form-data; " + part + b"\\r\\n" for part in parts)
        return text + b"--edge--\\r\\n", "multipart/form-data; boundary=edge"

    print(
        send("/pets/3", form({"customer": "a&b=c+d 한글", "extras": ["leash", "bowl"]})),
        send("/pets/3", form({"extras": "leash"})),
        send("/pets/3/photos", *parts(
            b'name="photo"; filename="cat.png"\\r\\nContent-Type: image/png\\r\\n\\r\\n\\x89PNG', b'name="caption"\\r\\n\\r\\nhi')),
        send("/pets/3/photos", *parts(b'name="caption"\\r\\n\\r\\nx')),
        send("/pets", json.dumps({"name": "Biscuit", "kind": "dog"}).encode(), "application/json"),
        send("/pets", json.dumps({"kind": "dog"}).encode(), "application/json"),
        send("/pets?" + urllib.parse.urlencode({"status": ["available", "sold"], "limit": 5}, doseq=True)),
        send("/pets/3", Prefer="code=404"),
    )
    """

  @Test func `URLSession sends forms, files and JSON`() async throws {
    let mock = try ServedMock(["specs/slp.yaml", "specs/petstore.yaml"])
    defer { mock.stop() }
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    func send(
      _ path: String, _ type: String? = nil, _ body: String = "", method: String = "POST",
      headers: [String: String] = [:]
    ) async throws -> (status: Int, body: String) {
      var request = URLRequest(url: try #require(URL(string: mock.url + path)))
      request.httpMethod = method
      for (name, value) in headers.merging(["idtoken": "x", "X-Api-Key": "k"], uniquingKeysWith: { own, _ in own }) {
        request.setValue(value, forHTTPHeaderField: name)
      }
      if let type {
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.utf8)
      }
      let (data, response) = try await session.data(for: request)
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
    let form = "application/x-www-form-urlencoded; charset=utf-8"
    let queue = "lat=37.517819&long=126.886473&studylist"
    #expect(try await send("/v1/queue", form, queue + "=anything").status == 200)
    #expect(try await send("/v1/queue", form, queue + "%5B%5D=anything").status == 501)
    #expect(try await send("/v1/queue", method: "DELETE").status == 200)
    #expect(try await send("/v1/user", method: "GET").body.contains("FCMtoken"))
    for code in [201, 203, 204, 205, 401, 406, 500, 501] {
      let answer = try await send("/v1/queue", form, queue + "=a", headers: ["Prefer": "code=\(code)"])
      #expect(answer.status == code)
      #expect(answer.body.isEmpty == [204, 205].contains(code))
    }
    let parts = [
      "name=\"photo\"; filename=\"cat.png\"\r\nContent-Type: image/png\r\n\r\nPNG", "name=\"caption\"\r\n\r\nhi",
    ]
    let multipart =
      parts.map { "--edge\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + "--edge--\r\n"
    #expect(try await send("/api/pets/3/photos", "multipart/form-data; boundary=edge", multipart).status == 201)
    #expect(try await send("/api/pets", "application/json", "{\"name\":\"B\",\"kind\":\"dog\"}").status == 201)
    #expect(try await send("/api/pets", "application/json", "{\"kind\":\"dog\"}").status == 400)
  }
}
