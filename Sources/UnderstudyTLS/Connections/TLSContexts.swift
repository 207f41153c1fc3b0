#if TLS
import NIOCore
import NIOSSL
import UnderstudySystem
import UnderstudyText

/// Has the certificate for new connections: it is read again when its files change, and renewed before it ends.
///
/// Connections that are open keep theirs.
final class TLSContexts: Sendable {
  private let settings: TLSSettings
  private let authorities: [UInt8]?
  /// `nil` for the certificate of `--cert`, and for a fault.
  private let hosts: HostCertificates?
  private let now: @Sendable () -> Int
  private let report: @Sendable (String) -> Void
  private let state: Lock<State>

  private struct State {
    var context: NIOSSLContext
    var identity: ServerIdentity
    /// The files when they were read.
    var stamps: [FileStatus?]
    /// In seconds since 1970.
    var checkedAt: Int
  }

  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - report: Gets a line for the log.
  init(
    _ settings: TLSSettings, now: @escaping @Sendable () -> Int, report: @escaping @Sendable (String) -> Void
  ) throws(TLSProblem) {
    let time = now()
    (self.settings, self.now, self.report) = (settings, now, report)
    authorities = try settings.clientAuthorities.map { (path) throws(TLSProblem) in
      try ServerIdentity.readAuthorities(path, now: time)
    }
    let identity = try settings.identity(now: time)
    if case .local(let folder, let names) = settings.source, settings.fault == nil {
      hosts = HostCertificates(folder, names, now: now)
    } else {
      hosts = nil
    }
    let context = try Self.context(identity, authorities, hosts, settings.fault, servesHTTP2: settings.servesHTTP2)
    state = Lock(
      State(context: context, identity: identity, stamps: Self.stamps(settings), checkedAt: time))
  }

  /// For a new connection.
  func current() -> NIOSSLContext {
    let time = now()
    return state.withLock { state in
      // A burst of connections looks at the files once.
      if state.checkedAt != time {
        state.checkedAt = time
        update(&state, time)
      }
      return state.context
    }
  }

  private func update(_ state: inout State, _ time: Int) {
    let stamps = Self.stamps(settings)
    var endsSoon = false
    if case .local = settings.source, settings.fault == nil {
      endsSoon = state.identity.end - time < CertificateProfile.renewalDays * CertificateProfile.day
    }
    guard endsSoon || stamps != state.stamps else { return }
    state.stamps = stamps
    do throws(TLSProblem) {
      let identity = try settings.identity(now: time)
      guard identity != state.identity else { return }
      state.context = try Self.context(identity, authorities, hosts, settings.fault, servesHTTP2: settings.servesHTTP2)
      state.identity = identity
      // The files that were just written are no change.
      state.stamps = Self.stamps(settings)
      report("new certificate for new connections, valid until \(Certificate.date(identity.end))\n")
    } catch {
      report("the certificate is not renewed, and the last one is served: \(error.message)\n")
    }
  }

  private static func stamps(_ settings: TLSSettings) -> [FileStatus?] { settings.files.map { FileStatus(of: $0) } }

  private static func context(
    _ identity: ServerIdentity, _ authorities: [UInt8]?, _ hosts: HostCertificates?, _ fault: TLSFault?,
    servesHTTP2: Bool
  ) throws(TLSProblem) -> NIOSSLContext {
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMBytes(identity.certificates).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(bytes: identity.key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = (servesHTTP2 ? [HTTP2Connection.protocolName] : []) + ["http/1.1"]
      // A client that has its answer owes the server nothing (RFC 8446, 6.1).
      configuration.shutdownTimeout = .milliseconds(250)
      if let hosts {
        configuration.sslContextCallback = { client, promise in
          promise.succeed(hosts.change(for: client.serverHostname))
        }
      }
      if fault == .oldVersion {
        (configuration.minimumTLSVersion, configuration.maximumTLSVersion) = (.tlsv1, .tlsv1)
      }
      if let authorities {
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authorities))
        // One that sends none gets the response of the contract.
        configuration.certificateVerification = .optionalVerification
        configuration.sendCANameList = true
      }
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw TLSProblem(
        "BoringSSL does not accept the certificate: \(error)",
        help: "it takes RSA keys from 2048 bits, and keys on the curves P-256, P-384 and P-521")
    }
  }
}
#endif
