import ArgumentParser
import CCrypto
import Understudy

/// Whose certificates are trusted when this program asks a server by https.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the certificates of this PEM file, too, where a server is asked by https. ($SSL_CERT_FILE)",
      valueName: "file"))
  var cacert: String?

  /// The certificates beside those of the system, as PEM; ends the command where the file has none, or one that cannot be
  /// read. The environment counts only where it is needed.
  func certificates(for server: Upstream?) throws -> [UInt8] {
    guard cacert != nil || server?.scheme == "https",
      let said = Setting("cacert", flag: cacert, "SSL_CERT_FILE", nil), !said.text.isEmpty
    else { return [] }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(said.text).bytes
    } catch {
      throw CommandFailure(.usage, "\(said.phrase): \(error.message)")
    }
    guard Self.holdsCertificates(bytes) else {
      throw CommandFailure(
        .usage, "\(said.phrase) holds no certificate", help: "expected PEM: -----BEGIN CERTIFICATE-----")
    }
    return bytes
  }

  /// Whether there is a certificate, and none that cannot be read.
  private static func holdsCertificates(_ pem: [UInt8]) -> Bool {
    CryptoObject.withoutErrors {
      CryptoObject.reading(pem) { file in
        var count = 0
        while let certificate = PEM_read_bio_X509(file, nil, CryptoObject.noPassphrase, nil) {
          X509_free(certificate)
          count += 1
        }
        return count > 0 && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
      }
    } ?? false
  }
}
