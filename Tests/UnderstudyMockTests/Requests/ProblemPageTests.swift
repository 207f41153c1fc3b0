import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ProblemPageTests {
  private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"

  @Test func `a browser gets a page about a path that no contract has`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send("/note/1%3Cb%3E", ["Accept": Self.browser])
      #expect(reply.status == 404)
      #expect(reply.header("Content-Type") == "text/html; charset=utf-8")
      #expect(reply.text.contains("<h1>404 "))
      #expect(reply.text.contains("did you mean `/notes/1%3Cb%3E`?"), "\(reply.text)")
      #expect(reply.text.contains("<a href=\"/\">Its paths</a>"))
      #expect(!reply.text.contains("<b>"))
    }
  }

  @Test(arguments: [nil, "*/*", "application/json", "application/json, text/html;q=0.5", "text/html;q=0"])
  func `a program gets the problem document`(_ accept: String?) throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send("/note/1", accept.map { ["Accept": $0] } ?? [:])
      #expect(reply.header("Content-Type") == "application/problem+json")
      #expect(reply.status == 404)
    }
  }
}
