import Foundation

extension SLPClient {
  public enum Sent: Hashable, Sendable { case message(Chat), notMatchedAnyMore }

  public func send(_ text: String, to uid: String) async throws -> Sent {
    let answer = try await session.send("POST", "chat/\(Session.escaped(uid))", form: [("chat", text)])
    return answer.status == 201 ? .notMatchedAnyMore : .message(try answer.decoded(Chat.self))
  }

  /// The messages of both directions after a moment.
  public func messages(with uid: String, since cursor: String) async throws -> [Chat] {
    try await session.send("GET", "chat/\(Session.escaped(uid))", query: [("lastchatDate", cursor)])
      .decoded(ChatHistory.self).payload
  }
}

/// A conversation with a history on the disk: only what is new is fetched, after a new start of the app as well.
public actor ChatRoom {
  /// Oldest first, each message once.
  public private(set) var history: [Chat]
  private let client: SLPClient
  private let uid: String
  private let file: ChatFile

  /// The cursor of a new conversation.
  private static let beginning = "2000-01-01T00:00:00.000Z"

  /// Begins with the messages of a file, which another conversation must not use.
  public init(with uid: String, client: SLPClient, file url: URL) {
    self.uid = uid
    self.client = client
    let file = ChatFile(url: url)
    self.file = file
    history = file.messages
  }

  /// Fetches what came since the last message, mine or the other's.
  public func update() async throws {
    add(try await client.messages(with: uid, since: history.last?.createdAt ?? Self.beginning))
  }

  /// Sends a message; the answer is the message itself, so nothing has to be fetched again.
  /// - Returns: Whether the study still exists.
  public func send(_ text: String) async throws -> Bool {
    guard case .message(let chat) = try await client.send(text, to: uid) else { return false }
    add([chat])
    return true
  }

  private func add(_ chats: [Chat]) {
    let known = Set(history.map(\._id))
    let new = chats.filter { !known.contains($0._id) }
    guard !new.isEmpty else { return }
    history = (history + new).sorted { $0.createdAt < $1.createdAt }
    // A message that was sent must not look like a failure: what the file lacks is fetched again after the next start.
    try? file.write(history)
  }
}
