import Foundation

// What clients do with the socket of the chat.

extension Wire {
  /// Opens a socket by the polling transport, and joins. Returns the session.
  func openSocket() async throws -> String {
    let open = try await poll(nil)
    guard let object = try? JSONSerialization.jsonObject(with: Data(open.dropFirst().utf8)) as? [String: Any],
      let id = object["sid"] as? String
    else { throw ClientError.decoding }
    try await emit(id, "40")
    _ = try await poll(id)
    return id
  }

  func poll(_ session: String?) async throws -> String {
    let answer = try await send(
      "GET", "/socket.io/?EIO=4&transport=polling" + (session.map { "&sid=\($0)" } ?? ""))
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    return String(decoding: answer.body, as: UTF8.self)
  }

  func emit(_ session: String, _ packet: String) async throws {
    _ = try await send("POST", "/socket.io/?EIO=4&transport=polling&sid=\(session)", form: packet, type: "text/plain")
  }

  /// E32: the socket is joined with the token, or with a constant that an example had, in place of the own uid.
  public func socketWithWrongID(_ id: String = "myUID") async throws {
    _ = try await send("GET", "/v1/user")
    try await emit(try await openSocket(), "42[\"changesocketid\",\"\(id)\"]")
  }

  /// E32: nothing says who the socket is for, so nothing arrives.
  public func socketWithoutID() async throws {
    let session = try await openSocket()
    try await emit(session, "41")
  }

  /// E32: the listener has the name of the event of another class.
  public func wrongEventName(uid: String) async throws -> [String] {
    try await received(uid: uid) { $0 == "sesac" }
  }

  /// E33: the payload is cast with force: a missing or other value would end the app.
  public func forcedCast(uid: String) async throws -> [String] {
    let session = try await openSocket()
    try await emit(session, "42[\"changesocketid\",\"\(uid)\"]")
    let packet = try await poll(session)
    let list = try JSONSerialization.jsonObject(with: Data(packet.dropFirst(2).utf8)) as? [Any]
    let message = list?.last as? [String: Any]
    return try ["_id", "chat", "createdAt"].map { name in
      // In place of `as!`, which would end the tests.
      guard let text = message?[name] as? String else { throw ClientError.decoding }
      return text
    }
  }

  /// After a lost connection it tries again at once, for ever.
  public func endlessReconnect(tries: Int) async {
    for _ in 0..<tries { _ = try? await openSocket() }
  }

  private func received(uid: String, _ isHandled: (String) -> Bool) async throws -> [String] {
    let session = try await openSocket()
    try await emit(session, "42[\"changesocketid\",\"\(uid)\"]")
    return try await poll(session).split(separator: "\u{1E}").compactMap { packet in
      let list = try? JSONSerialization.jsonObject(with: Data(packet.dropFirst(2).utf8)) as? [Any]
      return (list?.first as? String).flatMap { isHandled($0) ? $0 : nil }
    }
  }
}
