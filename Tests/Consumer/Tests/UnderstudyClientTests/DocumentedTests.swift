import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The code of docs/ios.md and of the catalog.
@Suite(.needsMock)
struct DocumentedTests {
  @Test(.lane("slp", force: ["readUser": 406]))
  func `an unregistered user is sent to sign-up`() async throws {
    let lane = try #require(Lane.current)  // http://127.0.0.1:4010/~slp-1f3a9c
    try await lane.reply(to: "readQueueState", .status(201), .fixture("200.matched"))
    try await lane.fault("sendChat", .reset, times: 1)
    try await App(baseURL: lane.baseURL.appendingPathComponent("v1")).launch()
    let sent = try await lane.next("sendChat", within: .seconds(5))
    #expect(sent.field("chat") == "hello")
  }
}

/// An app that waits for a partner, and sends a message again that was lost.
private struct App: Sendable {
  let baseURL: URL
  private let session = URLSession(configuration: .ephemeral)

  init(baseURL: URL) { self.baseURL = baseURL }

  func launch() async throws {
    #expect(try await send("user") == 406)
    while try await send("queue/myQueueState") != 200 {}
    // On Linux the session of a connection that was used before sends it again by itself.
    while true {
      if (try? await send("chat/u2", form: "chat=hello")) == 200 { return }
    }
  }

  private func send(_ path: String, form: String? = nil) async throws -> Int {
    var request = URLRequest(url: baseURL.appendingPathComponent(path), timeoutInterval: 30)
    request.setValue("t", forHTTPHeaderField: "idtoken")
    var session = session
    if let form {
      request.httpMethod = "POST"
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(form.utf8)
      session = URLSession(configuration: .ephemeral)
    }
    return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode ?? 0
  }
}
