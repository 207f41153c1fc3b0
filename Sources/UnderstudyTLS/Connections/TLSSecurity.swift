#if TLS
import NIOCore
package import UnderstudyServer
import UnderstudyText

extension TransportSecurity {
  /// TLS 1.2 and 1.3 (RFC 5246, RFC 8446).
  ///
  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - report: Gets lines for the log.
  package static func tls(
    _ settings: TLSSettings, now: @escaping @Sendable () -> Int = { Timestamp.seconds() },
    report: @escaping @Sendable (String) -> Void
  ) throws(TLSProblem) -> Self {
    let contexts = try TLSContexts(settings, now: now, report: report)
    // A client that meets a fault is meant to fail.
    let isFaulty = settings.fault != nil
    let handshakes = HandshakeReports { if !isFaulty { report($0) } }
    return Self(
      scheme: "https", redirectsPlain: settings.redirectsPlain,
      asksForCertificates: settings.clientAuthorities != nil
    ) { channel in
      try channel.pipeline.syncOperations.addHandler(TLSDetector(contexts, settings, handshakes))
    }
  }
}
#endif
