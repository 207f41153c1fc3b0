import NIOCore
import UnderstudySystem

package struct ServerStartError: Error, Sendable, CustomStringConvertible {
  package let description: String

  static let alreadyStarted = Self(description: "this server was started or shut down before: create another one")
}

extension ServerStartError {
  /// The same about another option than `--port`.
  package func about(_ option: String) -> Self {
    Self(
      description: "`\(option)`: "
        + description.replacing(" with --port, or --port 0 for a free one", with: ", or 0 for a free one"))
  }

  init(binding configuration: ServerConfiguration, _ error: any Error) {
    let (host, port) = (configuration.host, configuration.port)
    description =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE?: "port \(port) is taken; choose another with --port, or --port 0 for a free one"
      case EACCES?, EPERM?: "port \(port) is reserved by the system; choose one above 1023, or --port 0 for a free one"
      case EADDRNOTAVAIL?:
        "\(host) is not an address of this machine; try --host 127.0.0.1, or --host 0.0.0.0 for all of them"
      case nil where error is SocketAddressError || error is SocketAddressError.UnknownHost:
        0...65_535 ~= port
          ? "\(host) is not an address or name of this machine; try --host 127.0.0.1, or --host 0.0.0.0 for all of them"
          : "\(port) is not a valid port: expected 0 to 65535"
      case let code?: "cannot listen on \(host), port \(port): \(String(cString: strerror(code)).lowercased())"
      default: "cannot listen on \(host), port \(port): \(error)"
      }
  }
}
