import Foundation
import HTTPTypes
import Testing
import UnderstudySchema
import UnderstudyTestSupport
import UnderstudyVerification

/// Recordings that others made: browsers, proxies, other libraries.
struct HARCorporaTests {
  private static let mitmproxy = "mitmproxy+mitmproxy/test/mitmproxy/data/har_files/"

  @Test(
    .enabled(if: Corpora.isPresent, "skipped: no corpora"),
    arguments: [
      (mitmproxy + "chrome.har", "WebInspector", 3), (mitmproxy + "firefox.har", "Firefox", 14),
      (mitmproxy + "safari.har", "WebKit Web Inspector", 19), (mitmproxy + "charles.har", "Charles Proxy", 1),
      (mitmproxy + "insomnia.har", "Insomnia REST Client", 1), (mitmproxy + "with-bom.har", "WebInspector", 1),
      (mitmproxy + "postdata.har", "WebInspector", 1), (mitmproxy + "head-content-length.har", "Firefox", 1),
      ("mattt+Replay/Tests/IntegrationTests/Replays/fetchPosts.har", "Replay", 2),
    ])
  func `recordings of other programs are read whole`(_ path: String, _ creator: String, _ count: Int) throws {
    let file = try HARFile(Corpora.path(path))
    #expect(file.creator == creator)
    #expect(file.count == count)
    #expect(file.damage == nil)
    var times: [Int] = []
    for position in 0..<file.count {
      let entry = try file.entry(position)
      times.append(try #require(entry.startedAt))
      #expect(entry.requestFields.allSatisfy { !$0.name.rawName.hasPrefix(":") })
    }
    #expect(times == times.sorted())
  }

  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
  func `a body that browsers omit is not empty`() throws {
    let firefox = try HARFile(Corpora.path(Self.mitmproxy + "firefox.har"))
    #expect(try firefox.entry(1).response?.body.reason == "the answer's body was not recorded")
    let chrome = try HARFile(Corpora.path(Self.mitmproxy + "chrome.har"))
    // A 304 with the cached page, a request that was given up, a picture.
    #expect(try chrome.entry(0).response?.body == .empty)
    #expect(try chrome.entry(1).status == 0)
    #expect(try chrome.entry(2).response?.body.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    #expect(try HARFile(Corpora.path(Self.mitmproxy + "insomnia.har")).entry(0).requestBody == .empty)
  }

  /// The schema that our recordings are held against knows good from bad.
  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
  func `the schema of recordings agrees with another validator`() throws {
    let folder = "ahmadnassri+node-har-validator/test/fixtures/har/"
    let schema = try SchemaText.schema(try Project.text("specs/har-1.2.schema.json"))
    func read(_ name: String) throws -> JSON {
      try JSONParser.parse(try FileSystem.read(Corpora.path(folder + name))).root
    }
    #expect(schema.accepts(try read("valid.json")))
    for member in try read("invalid.json").members { #expect(!schema.accepts(member.value), "\(member.name)") }
  }
}
