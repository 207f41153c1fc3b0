import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

/// Who may use the admin API.
struct AdminAccessTests {
  private func status(
    _ settings: AdminSettings, host: String = "127.0.0.1:4010", method: HTTPRequest.Method = .get,
    path: String = "/__admin/health", _ fields: [String: String] = [:]
  ) -> Int {
    var headers = HTTPFields()
    for (name, value) in fields { HTTPField.Name(name).map { headers[$0] = value } }
    let request = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers)
    return AdminAccess(settings: settings).refusal(of: request)?.status ?? 200
  }

  @Test func `on a loopback address it answers hosts of this machine only`() {
    let local = AdminSettings(isLocal: true)
    for host in ["127.0.0.1:4010", "localhost", "LOCALHOST:1", "[::1]:80", "127.9.9.9", "a.localhost"] {
      #expect(status(local, host: host) == 200, "\(host)")
    }
    for host in ["example.com", "127.0.0.1.example.com", "localhost.evil", "10.0.0.1", "", "127.0.0.1@evil.com"] {
      #expect(status(local, host: host) == 403, "\(host)")
    }
  }

  @Test func `pages of other origins and sites are refused, and those of the server pass`() {
    let local = AdminSettings(isLocal: true)
    let key = ["Understudy-Console": local.consoleKey]
    #expect(status(local, key.merging(["Origin": "http://127.0.0.1:4010"]) { $1 }) == 200)
    #expect(status(local, key.merging(["Origin": "http://evil.example"]) { $1 }) == 403)
    #expect(status(local, ["Origin": "http://evil.example"]) == 403)
    #expect(status(local, ["Origin": "null"]) == 403)
    #expect(status(local, key.merging(["Sec-Fetch-Site": "same-origin"]) { $1 }) == 200)
    #expect(status(local, ["Sec-Fetch-Site": "none"]) == 200)
    #expect(status(local, ["Sec-Fetch-Site": "same-site"]) == 403)
    #expect(status(local, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]) == 403)
    #expect(status(local, method: .post, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]) == 403)
    // A link to the console.
    let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
    #expect(status(local, path: "/__admin/", link) == 200)
    #expect(status(local, path: "/__admin/requests", link) == 403)
  }

  @Test func `a page of an upstream, which has the same origin, is refused without the key of the console`() {
    let local = AdminSettings(isLocal: true)
    for field in ["Origin": "http://127.0.0.1:4010", "Sec-Fetch-Site": "same-origin"] {
      #expect(status(local, [field.key: field.value]) == 403)
      #expect(status(local, method: .post, [field.key: field.value, "Understudy-Console": "wrong"]) == 403)
      #expect(status(local, path: "/__admin/events?key=\(local.consoleKey)", [field.key: field.value]) == 200)
      #expect(status(local, path: "/__admin/console/main.js", [field.key: field.value]) == 200)
    }
    #expect(local.consoleKey != AdminSettings(isLocal: true).consoleKey && local.consoleKey.count == 26)
  }

  @Test func `where other machines reach it, it needs the token`() {
    #expect(status(AdminSettings(isLocal: false), host: "10.0.0.1") == 403)
    let open = AdminSettings(isLocal: false, token: "abc")
    #expect(status(open, host: "10.0.0.1") == 401)
    #expect(status(open, host: "10.0.0.1", ["Authorization": "Bearer abc"]) == 200)
    #expect(status(open, host: "10.0.0.1", ["Authorization": "bearer abd"]) == 401)
    #expect(status(open, host: "10.0.0.1", ["Authorization": "Basic abc"]) == 401)
    // A cookie would come with the requests of every page of this origin.
    #expect(status(open, host: "10.0.0.1", ["Cookie": "understudy-admin-80=abc"]) == 401)
    #expect(status(open, host: "10.0.0.1", ["Understudy-Console": open.consoleKey]) == 200)
    #expect(status(open, host: "10.0.0.1", path: "/__admin/console/main.js") == 200)
    #expect(status(open, host: "10.0.0.1", path: "/__admin/?token=abc") == 200)
    #expect(status(open, host: "10.0.0.1", ["Authorization": "Bearer abc", "Origin": "http://evil.example"]) == 403)
  }

  @Test func `two tokens are equal only as a whole`() {
    #expect(AdminAccess.areEqual("abc", "abc"))
    for other in ["ab", "abd", "xbc", "", "abcd"] { #expect(!AdminAccess.areEqual("abc", other)) }
  }

  @Test func `the root is a path of its own`() {
    let settings = AdminSettings(isLocal: true, root: "/__other")
    for target in ["/__other", "/__other/", "/__other/health?x", "/__other?x"] { #expect(settings.isAsked(by: target)) }
    for target in ["/__others", "/__othe", "/a/__other", "/__admin"] { #expect(!settings.isAsked(by: target)) }
    for root in ["", "x", "/", "/a//b", "/~a", "/a/", "/../a", "/.a", "/a?b", "/é"] {
      #expect(AdminSettings.problem(ofRoot: root) != nil, "\(root)")
    }
    for root in ["/__understudy", "/a/b", "/A-1_.x"] { #expect(AdminSettings.problem(ofRoot: root) == nil) }
  }
}
