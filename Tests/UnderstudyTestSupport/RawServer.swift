import Foundation
import Synchronization
import UnderstudySystem

/// A server with a thread for each connection, whose behaviour the test defines.
package final class RawServer: Sendable {
  package let port: Int
  private let listener: Listener
  private let reports: AsyncStream<String>
  private let isStopped = Atomic(false)

  /// The socket that accepts connections.
  private final class Listener: Sendable {
    let descriptor: CInt
    /// How many of its two users are done: the accepting thread, and the server.
    private let ends = Atomic(0)

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Closes the socket after its last user, since its number may belong to another one then.
    func end() {
      if ends.add(1, ordering: .acquiringAndReleasing).newValue == 2 { close(descriptor) }
    }
  }

  /// - Parameter serve: Serves a connection with its number, from 1, and returns a report; the connection ends with it.
  package init(_ serve: @escaping @Sendable (RawClient, Int) throws -> String) throws {
    #if canImport(Glibc)
    let stream = CInt(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 128) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard code == 0 else { throw RawClient.Failure(step: "listen", code: errno) }
    let listener = Listener(descriptor)
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    let (reports, continuation) = AsyncStream.makeStream(of: String.self)
    self.reports = reports
    Thread.detachNewThread {
      var number = 0
      while true {
        let socket = accept(descriptor, nil, nil)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        guard socket >= 0 else { return listener.end() }
        number += 1
        Thread.detachNewThread { [number] in
          let connection = RawClient(accepted: socket)
          do {
            continuation.yield(try serve(connection, number))
          } catch {
            continuation.yield("\(error)")
          }
        }
      }
    }
  }

  deinit { stop() }

  /// Stops accepting connections, once.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    // A thread that waits for a connection notices the one on Linux, the other on macOS.
    #if canImport(Darwin)
    close(listener.descriptor)
    #else
    shutdown(listener.descriptor, CInt(SHUT_RDWR))
    listener.end()
    #endif
  }

  /// Waits for the next report, which may be an error.
  package func report() async -> String {
    var iterator = reports.makeAsyncIterator()
    return await iterator.next() ?? ""
  }
}
