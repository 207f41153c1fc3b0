import Foundation
import UnderstudyMock
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A contract in the bundle of the tests.
@Suite(.understudy(try Contract(contentsOf: #require(Bundle.module.url(forResource: "pets", withExtension: "yaml")))))
struct BundleTests {
  @Test func `a contract in a bundle answers with its example`() async throws {
    let lane = try #require(Lane.current)
    let (body, _) = try await URLSession.shared.data(from: lane.baseURL.appending(path: "pets/1"))
    #expect(try JSONValue(parsing: String(decoding: body, as: UTF8.self))["name"]?.string == "Rex")
  }
}
