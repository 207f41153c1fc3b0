#if TLS
import NIOSSL
import UnderstudySystem

/// Certificates for the names that clients ask for (RFC 6066, 3), where that of the server has others: `app.localhost`.
final class HostCertificates: Sendable {
  private struct Entry {
    let change: NIOSSLContextConfigurationOverride
    /// The last second of its validity, in seconds since 1970.
    let end: Int
  }

  private let folder: CertificateFolder
  private let names: [SubjectName]
  private let now: @Sendable () -> Int
  private let known = Lock<[SubjectName: Entry]>([:])
  /// Clients choose the names.
  private static let limit = 64

  /// - Parameter names: The names of the server's own certificate.
  init(_ folder: CertificateFolder, _ names: [SubjectName], now: @escaping @Sendable () -> Int) {
    (self.folder, self.names, self.now) = (folder, names, now)
  }

  /// Returns the certificate for the name that a client asked for, or no change if the server's own is valid for it.
  func change(for host: String?) -> NIOSSLContextConfigurationOverride {
    guard let name = host.flatMap({ SubjectName($0) }), name.isLocal, !names.contains(name) else { return .noChanges }
    let time = now()
    return known.withLock { known in
      if let entry = known[name], entry.end - time > CertificateProfile.day { return entry.change }
      guard known.count < Self.limit || known[name] != nil, let entry = try? entry(for: name, time) else {
        return .noChanges
      }
      known[name] = entry
      return entry.change
    }
  }

  private func entry(for name: SubjectName, _ time: Int) throws -> Entry {
    let identity = try CertificateFolder.identity(for: [name], by: folder.authority(now: time), now: time)
    var change = NIOSSLContextConfigurationOverride()
    change.certificateChain = try NIOSSLCertificate.fromPEMBytes(identity.certificates).map { .certificate($0) }
    change.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: identity.key, format: .pem))
    return Entry(change: change, end: identity.end)
  }
}
#endif
