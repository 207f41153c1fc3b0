import Foundation
import UnderstudySystem

/// A relay before a PostgreSQL server that loses one statement or its response, and the connection with it.
package final class PostgreSQLRelay: Sendable {
  package enum Fault: Sendable {
    /// The statement does not reach the server.
    case request
    /// The server has carried the statement out.
    case response
    /// The statement reaches the server when the test asks for it.
    case delay
  }

  private struct State {
    var fault: Fault?
    var mark = ""
    var isOpen = true
    var held: (server: RawClient, bytes: [UInt8])?
  }

  private let path: String
  private let state: Holder
  private let server: RawServer
  package var port: Int { server.port }

  /// Guarded by its lock. Unchecked, since the connection of a held statement belongs to one thread at a time.
  private final class Holder: @unchecked Sendable {
    private let lock = NSLock()
    private var state = State()
    func use<R>(_ body: (inout State) throws -> R) rethrows -> R { try lock.withLock { try body(&state) } }
  }

  /// - Parameter path: The Unix socket of the server.
  package init(to path: String) throws {
    self.path = path
    let state = Holder()
    self.state = state
    server = try RawServer { client, _ in
      guard state.use({ $0.isOpen }) else { return "rejected" }
      let server = try RawClient(path: path)
      while true {
        guard let request = try Self.request(of: client) else { return "closed" }
        let fault = state.use { state -> Fault? in
          guard let fault = state.fault, request.firstRange(of: Array(state.mark.utf8)) != nil else { return nil }
          state.fault = nil
          return fault
        }
        if fault == .request { return "lost" }
        if fault == .delay {
          state.use { $0.held = (server, request) }
          return "held"
        }
        try server.send(request)
        let response = try Self.response(of: server)
        if fault == .response { return "unanswered" }
        try client.send(response)
      }
    }
  }

  /// Loses the next statement that contains a mark.
  package func lose(_ fault: Fault, of mark: String) {
    state.use { state in (state.fault, state.mark) = (fault, mark) }
  }

  /// Accepts connections, or closes each.
  package func open(_ isOpen: Bool) { state.use { $0.isOpen = isOpen } }

  /// Sends the statement that was held to the server, and waits until it is carried out.
  package func release() throws {
    guard let (server, bytes) = state.use({ $0.held }) else { return }
    try server.send(bytes)
    _ = try Self.response(of: server)
  }

  /// The bytes up to the message that ends a request (`Sync`), or of the start of a connection.
  private static func request(of client: RawClient) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = try client.piece() {
      bytes += piece
      let ends = [UInt8(ascii: "S"), UInt8(ascii: "X")].contains { bytes.suffix(5).elementsEqual([$0, 0, 0, 0, 4]) }
      if ends || bytes[0] == 0 { return bytes }
    }
    return nil
  }

  /// The bytes up to the message that ends a response (`ReadyForQuery`), or to a request for a password, or to the end.
  private static func response(of server: RawClient) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try server.piece() {
      bytes += piece
      let end = bytes.suffix(6)
      if bytes.count == 1 || end.starts(with: [0x5A, 0, 0, 0, 5]) { break }
    }
    return bytes
  }
}
