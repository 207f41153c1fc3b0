import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Messages as they come: Socket.IO by its polling transport, as far as the chat needs it.
public struct ChatSocket: Sendable {
  private let url: URL
  private let uid: String
  private let network: URLSession

  /// - Parameters:
  ///   - baseURL: Of the server; the path of a socket is the same on each.
  ///   - uid: My own: messages for it arrive here.
  public init(baseURL: URL, uid: String) {
    url = baseURL
    self.uid = uid
    let configuration = URLSessionConfiguration.ephemeral
    // A poll waits until a message comes.
    configuration.timeoutIntervalForRequest = 60
    network = URLSession(configuration: configuration)
  }

  /// Messages until the server ends the chat; the caller fetches what came meanwhile and connects again after an error.
  ///
  /// A message that is not what the server promises is left out: a crash would cost all of them.
  public func messages() -> AsyncThrowingStream<Chat, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await run { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func run(_ receive: (Chat) -> Void) async throws {
    let opening = try await exchange(nil)
    guard opening.first == "0", let open = Self.object(opening.dropFirst()), let id = open["sid"] as? String else {
      throw SLPError.unreachable
    }
    _ = try await exchange(id, sending: "40")
    while true {
      for packet in try await exchange(id).split(separator: "\u{1E}") {
        if packet.hasPrefix("42") { if let chat = Self.chat(packet.dropFirst(2)) { receive(chat) } }
        // Nothing reaches me before the server knows who I am, after each connection.
        if packet.hasPrefix("40") { _ = try await exchange(id, sending: "42[\"changesocketid\",\"\(uid)\"]") }
        if packet == "2" { _ = try await exchange(id, sending: "3") }
        if packet.hasPrefix("41") || packet == "1" { return }
      }
    }
  }

  /// The message of `["chat", {...}]`; other events and arguments are ignored.
  private static func chat(_ text: Substring) -> Chat? {
    guard let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any], list.count >= 2,
      list[0] as? String == "chat", let argument = list[1] as? [String: Any],
      let data = try? JSONSerialization.data(withJSONObject: argument)
    else { return nil }
    return try? JSONDecoder().decode(Chat.self, from: data)
  }

  private static func object(_ text: Substring) -> [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  /// Sends packets, or waits for some.
  private func exchange(_ session: String?, sending packets: String? = nil) async throws -> String {
    let query = "EIO=4&transport=polling" + (session.map { "&sid=\($0)" } ?? "")
    guard let url = URL(string: "/socket.io/?\(query)", relativeTo: url) else { throw SLPError.client }
    var request = URLRequest(url: url)
    if let packets {
      request.httpMethod = "POST"
      request.setValue("text/plain;charset=UTF-8", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(packets.utf8)
    }
    let (body, response) = try await network.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw SLPError.unreachable }
    return String(decoding: body, as: UTF8.self)
  }
}
