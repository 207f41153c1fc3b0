import CUnderstudyCrypto
import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// The page at `/` of a running mock.
struct OverviewPageTests {
  @Test(arguments: [
    (MockPageAssets.style, MockPageAssets.styleHash), (MockPageAssets.script, MockPageAssets.scriptHash),
  ])
  func `the policy of the page names its own style and script`(_ text: String, _ hash: String) throws {
    var digest = [UInt8](repeating: 0, count: 32)
    try #require(EVP_Digest(text, text.utf8.count, &digest, nil, EVP_sha256(), nil) == 1)
    #expect(Data(digest).base64EncodedString() == hash)
  }

  @Test func `its lines get the status that they ask for`() throws {
    let mock = try ServedMock(["specs/slp.yaml"])
    defer { mock.stop() }
    let page = try Curl.get(mock.url + "/", ("Accept", "text/html")).body
    let lines = page.matches(of: /<li id="o\d+-(\d+)">.*?<code class="line">([^<]*)<\/code>/)
    #expect(lines.count == 109)
    for line in lines.prefix(12) {
      let command = String(line.2).replacing("&#39;", with: "'").replacing(
        "curl -i", with: "curl -so /dev/null -w '%{http_code}'")
      let result = try Command.run("/bin/sh", ["-c", command])
      #expect(result.output == String(line.1), "\(command)")
    }
  }

  @Test func `requests to it are not recorded`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--har", "t.har"], in: folder)
      #expect(try Curl.get(mock.url + "/").status == 200)
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      #expect(mock.end().printed.contains("recorded 1 exchange in t.har\n"))
      let verified = try Command.run("verify", "shop.yaml", "--har", "t.har", in: folder)
      #expect(verified.code == 0, "\(verified.output)")
    }
  }
}
