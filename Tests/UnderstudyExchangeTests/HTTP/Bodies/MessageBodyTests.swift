import Testing
import UnderstudyMock

struct MessageBodyTests {
  private static let text = Array("nick=a%20b&tag=x&tag=y".utf8)

  @Test func `a form is split into its fields`() {
    let body = MessageBody(Self.text, contentType: "Application/X-WWW-Form-Urlencoded; charset=utf-8")
    #expect(body.syntax == .form)
    #expect(body.form.names == ["nick", "tag", "tag"])
    #expect(body.form.texts(of: "nick") == ["a b"])
  }

  @Test func `a body with an unknown coding is not read`() {
    let body = MessageBody(Self.text, contentType: "application/json", codings: ["zstd"])
    #expect(body.form.names.isEmpty)
    #expect(throws: TextProblem.self) { try body.json.get() }
  }

  @Test(arguments: [nil, "", "json", "application/json, application/json"])
  func `a body without a valid Content-Type is not read`(contentType: String?) {
    #expect(MessageBody(Array("{}".utf8), contentType: contentType).syntax == nil)
  }
}
