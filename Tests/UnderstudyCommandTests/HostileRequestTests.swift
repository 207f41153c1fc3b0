import Foundation
import Testing
import UnderstudyTestSupport

/// Requests that are broken below the level of a contract, or too much of a good thing: each is answered, none ends the
/// mock, and others are served after it.
struct HostileRequestTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var status: Int
    var log: String
    var testDescription: String { name }

    /// A whole request to the petstore, as it goes over the wire.
    init(
      _ name: String, _ target: String, _ type: String? = nil, _ body: [UInt8] = [], fields: String = "", status: Int,
      log: String
    ) {
      self.name = name
      self.status = status
      self.log = log
      var head = "\(type == nil ? "GET" : "POST") /api\(target) HTTP/1.1\r\nHost: a\r\nX-Api-Key: k\r\n\(fields)"
      if let type { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
      bytes = Array(head.utf8) + [13, 10] + body
    }
  }

  private static let form = "application/x-www-form-urlencoded"
  private static let parts = "multipart/form-data; boundary=x"
  /// Sixteen megabytes and more, coded twice by gzip.
  private static let bomb =
    "H4sIAAAAAAAC/+3bPQ4BYRQF0G+Ywk+CXsESlBoJjVqjFgtQ65CISkFjHdZgBzrRWYCIKFRiGJuQTM6pXn3Lm/sa60JI5ZLrIYq+x2L73t8K"
    + "pQAAAABk3OK8zKdlQGgmp/5gCAAAAGTduFqJf6XAa1TviQMAAAAyb9Vp134Lgcd8EosDAAAAMm/3vGzTKqB7TE6zVt7XBPzDPS4Xp5sQatEH"
    + "+VNS685DAAA="

  static let attacks = [
    Attack(
      "parts that break off in a part", "/pets/3/photos", parts,
      Array("--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a\"\r\n\r\nPNG".utf8), status: 400,
      log: "the multipart body is cut off in part 1: its last line `--x--` is missing"),
    Attack(
      "parts that break off in a header", "/pets/3/photos", parts, Array("--x\r\nContent-Disposition: form-da".utf8),
      status: 400, log: "the multipart body is cut off in part 1"),
    Attack(
      "parts without a boundary", "/pets/3/photos", "multipart/form-data", Array("--x\r\n".utf8), status: 415,
      log: "has no boundary"),
    Attack(
      "a header of 40,000 bytes", "/pets", fields: "X: \(String(repeating: "a", count: 40_000))\r\n", status: 431,
      log: "refused: the limits are 32768 bytes for the target or a field"),
    Attack(
      "200 headers", "/pets", fields: String(repeating: "X: y\r\n", count: 200), status: 431, log: "and 128 fields"),
    Attack(
      "JSON that is not UTF-8", "/pets", "application/json",
      Array("{\"name\":\"".utf8) + [0xFF] + Array("\",\"kind\":\"dog\"}".utf8), status: 400,
      log: "the byte 0xFF is not valid UTF-8 here, at byte 9"),
    Attack(
      "a form that is not UTF-8", "/pets/3", form, Array("customer=%ff".utf8), status: 422, log: "`%ff` in `customer`"),
    Attack(
      "a status below all", "/pets?__code=-12", status: 422, log: "findPets has no status and no meaning `-12`"),
    Attack("a query that is not UTF-8", "/pets?tags=%ff", status: 400, log: "`%ff` in `tags`"),
    Attack("%zz in a query", "/pets?tags=%zz", status: 400, log: "`%zz` in `tags` is not percent-encoded UTF-8"),
    Attack("%zz in a path", "/pets/%zz", status: 422, log: "`%zz` in `petId` is not percent-encoded UTF-8"),
    Attack("%zz in a form", "/pets/3", form, Array("customer=%zz".utf8), status: 422, log: "`%zz` in `customer`"),
    Attack(
      "10,000 query parameters", "/pets?limit=5&" + String(repeating: "a&", count: 10_000), status: 200,
      log: "findPets has no query parameter `a`"),
    Attack(
      "5,000 query parameters of as many names", "/pets?" + (0..<5_000).map { "\($0)" }.joined(separator: "&"),
      status: 200, log: "the query has 4980 more parameters that findPets does not have"),
    Attack(
      "20,000 form fields", "/pets/3", form, Array(("customer=a" + String(repeating: "&a=1", count: 20_000)).utf8),
      status: 422, log: "the form has more than 10000 fields; the rest was not read"),
    Attack(
      "two lengths", "/pets", fields: "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", status: 400,
      log: "refused: a line does not end in CR LF, or Transfer-Encoding and Content-Length come together"),
    Attack(
      "a bomb", "/pets", "application/json", Array(Data(base64Encoded: bomb) ?? Data()),
      fields: "Content-Encoding: gzip, gzip\r\n", status: 400, log: "the body decodes to more than 16777216 bytes"),
  ]

  @Test func `each hostile request is answered, and the server continues`() throws {
    let mock = try ServedMock(["specs/petstore.yaml"])
    let witness = try RawClient(port: mock.port)
    for attack in Self.attacks {
      let client = try RawClient(port: mock.port)
      try client.send(attack.bytes)
      #expect(try client.response().status == attack.status, "\(attack.name)")
      #expect(mock.waits(for: attack.log), "\(attack.name)")
      try witness.get("/api/hours")
      #expect(try witness.response().status == 200, "\(attack.name)")
    }
    // A body that never comes to its end is given up when the client is gone.
    let client = try RawClient(port: mock.port)
    try client.send("POST /api/pets/3/photos HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n--x\r\nContent-Dispo")
    client.endOutput()
    #expect(try client.response().status == 400)
    let (code, printed) = mock.end()
    #expect(code == 0)
    #expect(printed.split(separator: "\n").count < 250)
  }
}
