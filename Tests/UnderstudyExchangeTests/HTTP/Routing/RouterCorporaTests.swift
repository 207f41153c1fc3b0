import Testing
import UnderstudyMock
import UnderstudyTestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct RouterCorporaTests {
  @Test(arguments: [
    "octokit+openapi/cache/api.github.com.json", "box+box-openapi/openapi.json", "Bungie-net+api/openapi.json",
    "Bungie-net+api/openapi-2.json", "discord+discord-api-spec/specs/openapi.json",
    "slackapi+slack-api-specs/web-api/slack_web_openapi_v2.json",
  ])
  func `every path of a real description leads back to itself`(file: String) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Corpora.path(file))))
    let paths = try #require(try JSONParser.parse(bytes).root["paths"]).members.map(\.name)
    let entries = paths.enumerated().map {
      RouterEntry(operationIndex: $0.offset, method: "GET", template: $0.element, basePaths: ["/api/v1", ""])
    }
    let router = Router(entries)
    var failures: [String] = []
    for (index, path) in paths.enumerated() {
      let plain = path.split(separator: "#")[0]
      guard plain.count == path.count else { continue }
      let concrete = plain.replacing(/\{[^}]+\}/, with: "zz9")
      guard case .match(let match) = router.route("GET", "/api/v1" + concrete + "?a=b"), match.operation == index,
        match.captures.count == path.matches(of: /\{[^}]+\}/).count
      else {
        failures.append(path)
        continue
      }
    }
    #expect(failures.isEmpty)
    #expect(paths.count > 50)
  }
}
