import CUnderstudyCurl
import UnderstudySystem

/// The sockets of a client's connections; used only by the curl thread.
///
/// libcurl does not notice bytes that arrive on an idle connection, and takes them for the answer to the next request.
final class ClientSockets {
  private var open: Set<CInt> = []
  /// The number of transfers in progress.
  var transfers = 0

  /// Lets a handle open and close its sockets here. libcurl keeps a pointer to this until the last connection is closed.
  func manage(_ easy: EasyHandle) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    _ = curl_set_sockets(
      easy.pointer, { this, _, address in ClientSockets.at(this)?.openSocket(address) ?? -1 },
      { this, socket in
        ClientSockets.at(this)?.open.remove(socket)
        return close(socket)
      }, this)
  }

  /// Whether bytes have arrived on the idle connection that a transfer is about to use.
  ///
  /// - Parameter port: The port of this side; 0 for a Unix domain socket, which has none. Of those any may be that of
  ///   another transfer, which may have bytes: only more of them than transfers show that an idle one has some.
  func hasInput(onPort port: Int) -> Bool {
    let ready = open.count { socket in
      guard Self.port(of: socket) == port else { return false }
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&ready, 1, 0) > 0
    }
    return ready > (port == 0 ? transfers - 1 : 0)
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> ClientSockets? {
    pointer.map { Unmanaged<ClientSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> CInt {
    guard let address = address?.pointee else { return -1 }
    let new = socket(address.family, address.socktype, address.protocol)
    guard new >= 0 else { return -1 }
    // Children of this process have no use for it.
    _ = fcntl(new, F_SETFD, FD_CLOEXEC)
    open.insert(new)
    return new
  }

  private static func port(of socket: CInt) -> Int? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard getsockname(socket, pointer, &size) == 0 else { return nil }
        if pointer.pointee.sa_family == sa_family_t(AF_UNIX) { return 0 }
        // The port is at the same place for both families (RFC 3493, 3.3).
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
  }
}
