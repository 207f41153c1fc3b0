import ArgumentParser
import CUnderstudyCrypto
import UnderstudyVerification

/// The trusted certificates of requests by https.
struct TrustOptions: ParsableArguments {
  @Option(
    \.cacert, value: "file",
    help: "Trust the certificates of this PEM file as well, for requests by https. ($SSL_CERT_FILE)")
  var cacert: String?

  /// The certificates besides those of the system, as PEM. Throws if the file has none, or an invalid one. The
  /// environment is ignored unless the server needs https.
  func certificates(for server: Upstream?) throws -> [UInt8] {
    guard cacert != nil || server?.scheme == "https",
      let setting = Setting(\.cacert, flag: cacert), !setting.text.isEmpty
    else { return [] }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(setting.text).bytes
    } catch {
      throw CommandFailure(.usage, "\(setting.phrase): \(error.message)", help: error.help)
    }
    guard Self.holdsCertificates(bytes) else {
      throw CommandFailure(
        .usage, "\(setting.phrase) holds no certificate", help: "expected PEM: -----BEGIN CERTIFICATE-----")
    }
    return bytes
  }

  /// Whether there is a certificate, and no invalid one.
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
