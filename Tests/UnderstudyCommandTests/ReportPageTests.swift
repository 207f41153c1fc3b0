import Crypto
import Foundation
import TestSupport
import Testing
import Understudy

struct ReportPageTests {
  @Test(arguments: [(HTMLPage.style, HTMLPage.styleHash), (HTMLPage.script, HTMLPage.scriptHash)])
  func `the policy of the page names its own style and script`(_ text: String, _ hash: String) {
    #expect(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString() == hash)
  }

  @Test func `the page asks nobody for anything`() throws {
    let page = try Project.text("Tests/Reports/sample.html")
    #expect(page.contains("default-src 'none'"))
    // Addresses are told, never followed.
    #expect(page.firstMatch(of: /(src|href|action|data)\s*=\s*["']?\s*(https?:)?\/\//) == nil)
    #expect(page.firstMatch(of: /@import|url\(|<link|<img|<iframe|fetch\(|XMLHttpRequest/) == nil)
  }
}
