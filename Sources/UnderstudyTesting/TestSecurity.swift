public import UnderstudyClient
import UnderstudyServer
import UnderstudySystem

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if TLS
import UnderstudyTLS
import UnderstudyText
#endif

/// HTTPS of the mocks of a process, which have one certificate.
enum TestSecurity {
  #if TLS
  private static let folder = Result { () throws(TLSProblem) in try CertificateFolder.ofUser() }

  /// The path of the authority's certificate, which the first mock creates.
  static var authorityPath: String? { try? folder.get().authorityPath }

  static var authority: [UInt8]? {
    guard let path = authorityPath, let pem = try? FileSystem.read(path).bytes else { return nil }
    return Certificate.read(pem: pem).first?.der
  }

  private static let security = Result { () throws(TLSProblem) in
    let names = ServerNames(host: "localhost").local
    return try TransportSecurity.tls(TLSSettings(.local(folder.get(), names))) { line in
      _ = Array("understudy: \(line)".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  /// - Throws: `UnderstudyError` if the certificate cannot be read or created.
  static func shared() throws(UnderstudyError) -> TransportSecurity {
    do throws(TLSProblem) {
      return try security.get()
    } catch {
      throw UnderstudyError(.misused, error.message + (error.help.map { "\n  help: \($0)" } ?? ""))
    }
  }
  #else
  static var authorityPath: String? { nil }
  static var authority: [UInt8]? { nil }

  static func shared() throws(UnderstudyError) -> TransportSecurity {
    throw UnderstudyError(
      .misused,
      "`tls: true` needs the trait TLS of the package\n  help: .package(url: ..., from: ..., traits: [\"TLS\"])")
  }
  #endif
}

extension UnderstudyClient.Lane {
  /// The PEM file of the certificate that a client has to trust; `nil` without `tls`.
  ///
  /// It is the authority of `understudy serve --tls` and of this user: a simulator or a Mac that trusts it by `understudy tls
  /// trust` needs no setting in a test.
  public var authorityFile: URL? {
    inProcess?.usesTLS == true ? TestSecurity.authorityPath.map { URL(filePath: $0) } : nil
  }

  /// The DER of the certificate that a client has to trust, for `SecCertificateCreateWithData`; `nil` without `tls`.
  public var authority: Data? { inProcess?.usesTLS == true ? TestSecurity.authority.map { Data($0) } : nil }
}
