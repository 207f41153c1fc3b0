import CUnderstudyCrypto
import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct ReportPageTests {
  @Test(arguments: [(HTMLPage.style, HTMLPage.styleHash), (HTMLPage.script, HTMLPage.scriptHash)])
  func `the policy of the page names its own style and script`(_ text: String, _ hash: String) throws {
    var digest = [UInt8](repeating: 0, count: 32)
    try #require(EVP_Digest(text, text.utf8.count, &digest, nil, EVP_sha256(), nil) == 1)
    #expect(Data(digest).base64EncodedString() == hash)
  }

  @Test func `the page loads nothing`() throws {
    let page = try Project.text("Tests/Reports/sample.html")
    #expect(page.contains("default-src 'none'"))
    // Addresses are text, not links.
    #expect(page.firstMatch(of: /(src|href|action|data)\s*=\s*["']?\s*(https?:)?\/\//) == nil)
    #expect(page.firstMatch(of: /@import|url\(|<link|<img|<iframe|fetch\(|XMLHttpRequest/) == nil)
  }
}
