import ArgumentParser
import NIOSSL
import SourceText
import Understudy

/// Whose certificates are trusted when this program asks a server by https.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the certificates of this PEM file, too, where a server is asked by https. ($SSL_CERT_FILE)",
      valueName: "file"))
  var cacert: String?

  /// The certificates beside those of the system; ends the command where there are none in the file. What the environment says
  /// is only looked at where it is needed.
  func certificates(for server: Upstream?) throws -> [NIOSSLCertificate] {
    guard cacert != nil || server?.scheme == "https",
      let said = Setting("cacert", flag: cacert, "SSL_CERT_FILE", nil), !said.text.isEmpty
    else { return [] }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(said.text).bytes
    } catch {
      throw CommandFailure(.usage, "\(said.phrase): \(error.message)")
    }
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
      throw CommandFailure(
        .usage, "\(said.phrase) holds no certificate", help: "expected PEM: -----BEGIN CERTIFICATE-----")
    }
    return certificates
  }
}
