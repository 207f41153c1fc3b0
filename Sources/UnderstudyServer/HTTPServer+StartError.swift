import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension HTTPServer {
  /// Why a server could not start, in a sentence that says what to do next.
  package struct StartError: Error, Sendable, CustomStringConvertible {
    package let reason: Reason
    package let description: String

    package enum Reason: Sendable, Equatable {
      /// Another program listens there.
      case portTaken
      /// The system reserves the port.
      case portReserved
      /// The host is no name or address of this machine.
      case unknownHost
      /// A server is started once.
      case alreadyStarted
      /// It was shut down while it started.
      case stopped
      case other
    }

    init(_ reason: Reason, _ description: String = "this server was started or shut down before; make a new one") {
      self.reason = reason
      self.description = description
    }

    init(binding configuration: Configuration, _ error: any Error) {
      let (host, port) = (configuration.host, configuration.port)
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE?:
        self.init(
          .portTaken, "port \(port) is taken; choose another with --port, or --port 0 for a free one")
      case EACCES?, EPERM?:
        self.init(
          .portReserved, "port \(port) is reserved by the system; choose one above 1023, or --port 0 for a free one")
      case EADDRNOTAVAIL?:
        self.init(
          .unknownHost, "\(host) is no address of this machine; try --host 127.0.0.1, or --host 0.0.0.0 for all of them"
        )
      case nil where error is SocketAddressError || error is SocketAddressError.UnknownHost:
        self.init(.unknownHost, "the host \(host) is unknown, or \(port) is no port (0 to 65535)")
      default:
        self.init(.other, "cannot listen on \(host), port \(port): \(error)")
      }
    }
  }
}
