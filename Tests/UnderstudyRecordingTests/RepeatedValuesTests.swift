import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// The values of a second pass in the requests of the first.
struct RepeatedValuesTests {
  /// The request of an exchange after two answers.
  private func applied(_ first: String, _ second: String, _ request: String) throws -> Exchange {
    var values = RepeatedValues()
    values.learn(
      try #require(try RecordedSession.entry("GET /", first).response),
      try #require(try RecordedSession.entry("GET /", second).response))
    return values.applied(to: try RecordedSession.entry(request, "200"))
  }

  @Test(arguments: [
    // A short value only as a segment, and only of a member that is an id.
    (#"{"id": 17}"#, #"{"id": 18}"#, "GET /pets/17?page=17", "/pets/18?page=17"),
    (#"{"age": 17}"#, #"{"age": 18}"#, "GET /pets/17", "/pets/17"),
    (#"{"petId": "a1"}"#, #"{"petId": "b2"}"#, "GET /pets/a1/a12", "/pets/b2/a12"),
    (
      #"{"next": "cur50r-aaaa"}"#, #"{"next": "cur50r-bbbb"}"#, "GET /pets?after=cur50r-aaaa", "/pets?after=cur50r-bbbb"
    ),
    // A word, not a generated value.
    (#"{"state": "available"}"#, #"{"state": "processing"}"#, "GET /pets?state=available", "/pets?state=available"),
    (#"{"at": [{"key": "abcd1234"}]}"#, #"{"at": [{"key": "efgh5678"}]}"#, "GET /x/abcd1234/y", "/x/efgh5678/y"),
    ("[1]", "nothing", "GET /1", "/1"), (#"{"id": ""}"#, #"{"id": "new"}"#, "GET //", "//"),
  ])
  func `a target has the values of the second pass`(
    _ first: String, _ second: String, _ request: String, _ target: String
  ) throws {
    #expect(try applied("200 \(first)", "200 \(second)", request).url == "http://127.0.0.1:4010" + target)
  }

  @Test func `a body and a header have them too`() throws {
    var values = RepeatedValues()
    let first = try #require(try RecordedSession.entry("GET /", #"200 {"token": "t0ken-first"}"#).response)
    let second = try #require(try RecordedSession.entry("GET /", #"200 {"token": "t0ken-other"}"#).response)
    values.learn(first, second)
    var entry = try RecordedSession.entry(#"POST /pets {"use":"t0ken-first"}"#, "200")
    entry.requestFields.append(HTTPField(name: .authorization, value: "Bearer t0ken-first"))
    entry = values.applied(to: entry)
    #expect(String(decoding: entry.requestBody.bytes, as: UTF8.self) == #"{"use":"t0ken-other"}"#)
    #expect(entry.requestFields.first(named: "authorization") == "Bearer t0ken-other")
  }

  @Test func `a cookie that the server set has its new value`() throws {
    var first = try #require(try RecordedSession.entry("GET /", "204").response)
    var second = first
    first.fields.append(HTTPField(name: .setCookie, value: "session=old-session-1; Path=/"))
    second.fields.append(HTTPField(name: .setCookie, value: "session=new-session-2; Path=/"))
    var values = RepeatedValues()
    values.learn(first, second)
    var entry = try RecordedSession.entry("GET /me", "200")
    entry.requestFields.append(HTTPField(name: .cookie, value: "a=b; session=old-session-1"))
    #expect(values.applied(to: entry).requestFields.first(named: "cookie") == "a=b; session=new-session-2")
  }
}
