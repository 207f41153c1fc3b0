import NIOCore
import Synchronization
import UnderstudyMock
import UnderstudySockets
import UnderstudySystem
import UnderstudyText

final class EngineRegistry: Sendable {
  private let sessions = Lock<[String: EngineEndpoint]>([:])

  /// The session with an identifier; `nil` if there is none in a lane.
  func find(_ id: String, in lane: any LaneAccess) -> EngineEndpoint? {
    sessions.withLock { $0[id] }.flatMap { $0.lane.id == lane.id ? $0 : nil }
  }

  func add(_ session: EngineEndpoint, _ id: String) { sessions.withLock { $0[id] = session } }

  func remove(_ id: String) { sessions.withLock { _ = $0.removeValue(forKey: id) } }

  func closeAll() {
    let all = sessions.withLock { Array($0.values) }
    for session in all { session.close("the server shuts down") }
  }

  /// A random identifier of 20 characters, 120 bits.
  static func newID() -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return String(decoding: (0..<20).map { _ in alphabet[Int.random(in: 0..<64)] }, as: UTF8.self)
  }
}
