import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ViolationMapTests {
  private func read(_ marked: String) throws -> (map: ViolationMap, diagnostics: [Diagnostic], marks: [Int]) {
    let places = MarkedText("x-understudy: " + marked)
    let document = try TextDocument.read(places.source)
    var diagnostics: [Diagnostic] = []
    return (ViolationMap(document.root, diagnostics: &diagnostics), diagnostics, places.offsets)
  }

  @Test func `each violation has a status or is ignored`() throws {
    let (map, diagnostics, _) = try read("{unknown-path: 500, unauthorized: \"403\", not-acceptable: ignore}")
    #expect(diagnostics.isEmpty)
    #expect(map[.unknownPath] == .status(500))
    #expect(map[.unauthorized] == .status(403))
    #expect(map[.notAcceptable] == .ignore)
    #expect(map[.unknownMethod] == nil)
  }

  @Test func `an unsupported media type is an invalid request unless it has a line of its own`() throws {
    #expect(try read("{invalid-request: 501}").map[.unsupportedMediaType] == .status(501))
    #expect(try read("{invalid-request: 501, unsupported-media-type: 400}").map[.unsupportedMediaType] == .status(400))
    #expect(try read("{unsupported-media-type: 400}").map[.invalidRequest] == nil)
  }

  @Test func `a nearer map wins line by line`() throws {
    let map = try read("{unauthorized: 401, invalid-request: 501}").map
      .overridden(by: try read("{invalid-request: ignore}").map)
    #expect(map[.unauthorized] == .status(401))
    #expect(map[.invalidRequest] == .ignore)
  }

  @Test(arguments: [
    ("↓[401]", "expected a mapping, found array", nil),
    ("{↓unauthorised: 401}", "unknown key `unauthorised`", "did you mean `unauthorized`?"),
    ("{unauthorized: ↓99}", "expected a status from 200 to 599 or `ignore`, found 99", nil),
    ("{unauthorized: ↓-12}", "expected a status from 200 to 599 or `ignore`, found -12", nil),
    ("{unauthorized: ↓ingore}", "expected a status from 200 to 599 or `ignore`, found \"ingore\"", nil),
    ("{unknown-path: ↓ignore}", "`unknown-path` cannot be ignored: there is nothing else to serve", nil),
  ])
  func `an invalid entry is reported at its location`(text: String, message: String, help: String?) throws {
    let (_, diagnostics, marks) = try read(text)
    #expect(diagnostics.map(\.rule) == [.specUnderstudyExtension])
    #expect(diagnostics.map(\.message) == [message])
    #expect(diagnostics.compactMap { $0.location?.range?.lowerBound } == marks)
    if let help { #expect(diagnostics.first?.help == help) }
  }

  @Test func `the gravest violation is the least`() {
    #expect(Violation.allCases.sorted() == Violation.allCases)
    #expect([Violation.notAcceptable, .invalidRequest, .unauthorized].min() == .unauthorized)
  }
}
