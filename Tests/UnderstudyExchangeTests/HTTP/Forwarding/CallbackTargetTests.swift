import Testing
import UnderstudyExchange

struct CallbackTargetTests {
  private func target(_ text: String, _ hosts: String...) throws -> String {
    try CallbackTarget(text, allowing: Set(hosts)).url
  }

  @Test(arguments: [
    ("http://127.0.0.1:9000/a?b=c", "http://127.0.0.1:9000/a?b=c"), ("http://localhost", "http://localhost/"),
    ("HTTPS://LOCALHOST:8443/A", "https://localhost:8443/A"), ("http://[::1]:9/x", "http://[::1]:9/x"),
    ("http://127.1.2.3/", "http://127.1.2.3/"), ("http://localhost:080/", "http://localhost:80/"),
  ])
  func `a receiver on this machine gets callbacks`(text: String, url: String) throws {
    #expect(try target(text) == url)
  }

  @Test(arguments: [
    "http://example.com/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data",
    "http://localhost.example.com/",
    "http://localtest.me/", "http://127.0.0.1.nip.io/", "http://127.0.0.1.", "http://localhost.", "http://0.0.0.0/",
    // Other spellings of 127.0.0.1, and of other addresses.
    "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://127.1/",
    "http://127.0.0.01/",
    "http://127.0.0.256/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:0:0:1]/",
    "http://[::]/",
  ])
  func `another machine, and any other spelling of an address, is rejected with the next step`(text: String) throws {
    let problem = #expect(throws: TextProblem.self) { try target(text) }
    #expect(problem?.message == "`\(text)` is not on this machine")
    let host = text.split(separator: "/")[1]
    #expect(
      problem?.help
        == "expected localhost, 127.0.0.1 or [::1] as the host; `--allow-callbacks \(host)` allows another one")
  }

  @Test(arguments: [
    "http://127.0.0.1@evil.example/", "http://127.0.0.1:80@evil.example/", "http://evil.example\\@127.0.0.1/",
    "http://127.0.0.1#@evil.example/", "http://127.0.0.1\\.evil.example/", "http://127.0.0.1%2eevil.example/",
    "http://127.0.0.1:99999/", "http://127.0.0.1:/", "http://127.0.0.1:0/", "http://[::1/", "http://", "http:///x",
    "//127.0.0.1/",
    "/events", "", "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:70/", "http://127.0.0.1/\r\nX: y",
    "http://127.0.0.1/ x", "http://lоcalhost/", "http://127.0.0.1/\u{e9}", "http://[fe80::1%25eth0]/",
  ])
  func `a receiver without a plain URL is rejected`(text: String) throws {
    let problem = #expect(throws: TextProblem.self) { try target(text) }
    #expect(problem?.message.hasSuffix(" is not the URL of a receiver") == true)
    #expect(
      problem?.help
        == "expected http or https with a host, without user and fragment, as in http://127.0.0.1:9000/events")
  }

  @Test func `a URL beyond the limit is rejected`() {
    #expect(throws: TextProblem.self) { try target("http://127.0.0.1/" + String(repeating: "a", count: 8_000)) }
  }

  @Test func `an allowed host is allowed on each port, or on its own`() throws {
    #expect(try target("https://Hooks.example.com:8443/x", "hooks.example.com") == "https://hooks.example.com:8443/x")
    #expect(try target("http://10.0.0.1:90/", "10.0.0.1:90") == "http://10.0.0.1:90/")
    #expect(throws: TextProblem.self) { try target("http://10.0.0.1:91/", "10.0.0.1:90") }
    #expect(throws: TextProblem.self) { try target("http://a.hooks.example.com/", "hooks.example.com") }
  }

  @Test func `a host has no scheme, path and user`() {
    #expect(["example.com", "example.com:80", "[::2]", "10.0.0.1"].allSatisfy(CallbackTarget.isHost))
    #expect(!["http://example.com", "example.com/x", "u@example.com", "", "*"].contains(where: CallbackTarget.isHost))
  }
}
