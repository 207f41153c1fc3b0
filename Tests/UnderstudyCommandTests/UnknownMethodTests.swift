import Testing
import UnderstudyTestSupport

struct UnknownMethodTests {
  /// RFC 9110, 9.1: an unrecognized method is answered with 501.
  @Test(arguments: ["FOO", "get"]) func `an unknown method gets 501, and the log has method and path`(
    method: String
  ) throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let exchange = Scenario.Exchange(method: method, target: "", headers: [])
      let answer = try Curl.send(exchange, to: mock.url + "/pets/1?a=b")
      #expect(answer.status == 501)
      #expect(answer.body.contains("llhttp"))
      #expect(mock.waits(for: " \(method) /pets/1?a=b 501 "), "\(mock.printed)")
    }
  }

  @Test func `bytes without a request line get 400`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let client = try RawClient(port: mock.port)
      try client.send("nonsense\r\n\r\n")
      #expect(try client.rest().text.hasPrefix("HTTP/1.1 400 "))
    }
  }
}
