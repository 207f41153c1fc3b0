import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A server with a thread for each connection, whose behaviour the test defines.
package final class RawServer: Sendable {
  package let port: Int
  private let listener: CInt
  private let reports: AsyncStream<String>

  /// - Parameter serve: Serves a connection with its number, from 1, and returns a report; the connection ends with it.
  package init(_ serve: @escaping @Sendable (RawClient, Int) throws -> String) throws {
    #if canImport(Glibc)
    let stream = CInt(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 128) == 0 ? getsockname(listener, $0, &size) : -1
      }
    }
    guard code == 0 else { throw RawClient.Failure(step: "listen", code: errno) }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    let (reports, continuation) = AsyncStream.makeStream(of: String.self)
    self.reports = reports
    Thread.detachNewThread {
      var number = 0
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { return }
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

  /// Stops accepting connections.
  package func stop() {
    // A thread that waits for a connection notices the one on Linux, the other on macOS.
    shutdown(listener, CInt(SHUT_RDWR))
    #if canImport(Darwin)
    close(listener)
    #endif
  }

  /// Waits for the next report, which may be an error.
  package func report() async -> String {
    var iterator = reports.makeAsyncIterator()
    return await iterator.next() ?? ""
  }
}
