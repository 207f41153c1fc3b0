import CUnderstudyThreads
import NIOCore
import UnderstudyMock
import UnderstudySystem

package struct ServerConfiguration: Sendable {
  /// A name or an address of this machine.
  package var host = "127.0.0.1"
  /// 0 asks the system for a free port.
  package var port = 4010
  package var cors = false
  /// Whether `Understudy-Lane` names the lane of a request.
  package var servesLanes = false
  /// The longest request body; a longer one is answered with 413.
  package var maximumBodyBytes = Self.defaultMaximumBodyBytes
  /// The longest target or field (name and value together) of a request; a longer one is answered with 431.
  package var maximumFieldBytes = 32 * 1024
  /// The longest head of a request; a longer one is answered with 431.
  package var maximumHeadBytes = 64 * 1024
  /// The most fields of a request; more are answered with 431.
  package var maximumFieldCount = 128
  /// From the first byte of a head to its last; 408 after that.
  package var headTimeout: Duration = .seconds(10)
  /// The longest silence within a request body; 408 after that.
  package var bodyTimeout: Duration = .seconds(30)
  /// In bytes a second: a body may take as long as at this rate, and `bodyTimeout` more; 408 after that.
  package var minimumBodyRate = 1024
  /// An idle connection is closed after this time, or up to a quarter of it later.
  package var idleTimeout: Duration = .seconds(60)
  /// How long `Fault.hang` keeps a client waiting; `nil` for no limit.
  package var hangLimit: Duration?
  /// How long a refused client may take to read its answer before the connection is closed.
  package var lingerLimit: Duration = .seconds(1)
  /// How long a shutdown waits for answers in progress.
  package var shutdownLimit: Duration = .seconds(9)
  /// How long a shutdown waits for a request that is on its way, on a connection that owes no answer.
  package var lastCall: Duration = .milliseconds(100)
  /// Whether a client that has closed its output may still wait for its answer; otherwise it has left.
  package var allowsHalfClosure = true
  /// `nil` for plain HTTP.
  package var security: TransportSecurity?
  package var connections = OpenConnections()
  /// File descriptors that connections leave to files and other sockets.
  package var reservedDescriptors = 64
  /// The number of event loops, each with its own thread.
  package var loops = Self.processors
  /// Whether the server runs on one of the event loops that the process shares, and starts no thread.
  package var sharesLoops = false

  package static var processors: Int {
    // `taskset` leaves a program fewer than the machine has, and a container a share of their time.
    let allowed = Int(thread_allowed_processors())
    return allowed > 0 ? min(allowed, System.coreCount) : System.coreCount
  }

  package var isLocal: Bool { AdminAccess.isLocalHost(host.contains(":") ? "[\(host)]" : host) }

  /// The most connections: as many as the process has file descriptors for, without the reserve.
  var maximumConnections: Int {
    let limit = Self.descriptorLimit
    // A process with few descriptors divides them.
    return max(limit / 2, limit - reservedDescriptors)
  }

  /// The maximum number of file descriptors; a lower soft limit (256 on macOS) is raised to 10,240, macOS's maximum.
  package static let descriptorLimit: Int = {
    #if canImport(Glibc)
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 256 }
    var raised = limit
    raised.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 10_240))
    if setrlimit(files, &raised) == 0 { limit = raised }
    // Without a limit, the number of a descriptor still is an `int`.
    return Int(clamping: min(limit.rlim_cur, rlim_t(Int32.max)))
  }()

  /// 10 MB.
  package static let defaultMaximumBodyBytes = 10 * 1024 * 1024

  package init() {}
}

package struct ServerAddress: Sendable, Equatable {
  package let host: String
  package let port: Int
  /// `http` or `https`
  package let scheme: String

  package init(host: String, port: Int, scheme: String = "http") {
    (self.host, self.port, self.scheme) = (host, port, scheme)
  }

  /// The base URL for clients on this machine, never all interfaces' address (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2).
  package var url: String { url(of: isEverywhere ? (host == "0.0.0.0" ? "127.0.0.1" : "::1") : host) }

  package var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

  /// The base URLs for clients on other machines, if the server listens on all interfaces. Link-local addresses are
  /// left out: a client would need the name of its own interface as well.
  package var urlsForOthers: [String] {
    guard isEverywhere else { return [] }
    let addresses = ((try? System.enumerateDevices()) ?? []).compactMap(\.address).filter { address in
      switch address {
      case .v4: true
      case .v6: host == "::"
      case .unixDomainSocket: false
      }
    }
    return addresses.compactMap(\.ipAddress).filter { !Self.isLocal($0) }.map(url).unique()
  }

  private static func isLocal(_ address: String) -> Bool {
    ["127.", "169.254.", "0.0.0.0", "fe80:", "::ffff:127."].contains { address.hasPrefix($0) }
      || address == "::1" || address == "::"
  }

  private func url(of host: String) -> String {
    "\(scheme)://\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
  }
}

extension TimeAmount {
  /// Rounded to nanoseconds and limited to a century.
  init(_ duration: Duration) {
    // `components` traps beyond 64 bits of seconds.
    let century: Duration = .seconds(100 * 366 * 86_400)
    let (seconds, attoseconds) = min(max(duration, .zero - century), century).components
    self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
  }
}
