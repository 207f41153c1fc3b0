import UnderstudyText

/// What a server proves its name with: a chain of certificates, its own first, and the key of that one, as PEM.
package struct ServerIdentity: Sendable, Equatable {
  package var certificates: [UInt8]
  package var key: [UInt8]
  /// The last second of the validity of its own certificate, in seconds since 1970.
  package var end: Int

  package init(certificates: [UInt8], key: [UInt8], end: Int) {
    self.certificates = certificates
    self.key = key
    self.end = end
  }

  /// Reads the files of `--cert` and `--key`.
  ///
  /// - Parameter now: In seconds since 1970.
  package static func read(certificate: String, key keyPath: String, now: Int) throws(TLSProblem) -> Self {
    let certificates = try read(certificate, option: "--cert")
    let keyBytes = try read(keyPath, option: "--key")
    let chain = Certificate.read(pem: certificates)
    guard let own = chain.first else {
      throw TLSProblem(
        "`--cert \(certificate)` holds no certificate",
        help: "expected PEM: -----BEGIN CERTIFICATE-----" + (isPEM(certificates) ? "" : derHelp("x509", certificate)))
    }
    guard let privateKey = PrivateKey(pem: keyBytes) else {
      let isEncrypted = String(decoding: keyBytes, as: UTF8.self).contains("ENCRYPTED")
      throw TLSProblem(
        isEncrypted
          ? "the key of `--key \(keyPath)` needs a passphrase" : "`--key \(keyPath)` holds no private key",
        help: isEncrypted
          ? "remove it: openssl pkey -in \(ShellQuoting().word(keyPath)) -out key.pem"
          : "expected PEM: -----BEGIN PRIVATE KEY-----" + (isPEM(keyBytes) ? "" : derHelp("pkey", keyPath)))
    }
    guard own.matches(privateKey) else {
      let other = chain.dropFirst().contains { $0.matches(privateKey) }
      throw TLSProblem(
        "the key of `--key \(keyPath)` is not that of the first certificate of `--cert \(certificate)` (\(own.subject))",
        help: other
          ? "the certificate of the server comes first, then those that have signed it"
          : "name the key that the certificate was made for")
    }
    guard own.end >= now else {
      throw TLSProblem(
        "the certificate of `--cert \(certificate)` (\(own.subject)) has expired on \(own.endText)",
        help: "renew it; `--tls-fault expired` serves an expired one on purpose")
    }
    guard own.start <= now + CertificateProfile.day else {
      throw TLSProblem(
        "the certificate of `--cert \(certificate)` (\(own.subject)) is not valid before \(own.startText)",
        help: "check the clock of this machine")
    }
    guard let key = privateKey.pem else { throw TLSProblem("libcrypto cannot write the key of `--key \(keyPath)`") }
    return Self(certificates: chain.flatMap { $0.pem ?? [] }, key: key, end: own.end)
  }

  /// The certificates of authorities that sign those of clients.
  package static func readAuthorities(_ path: String, now: Int) throws(TLSProblem) -> [UInt8] {
    let bytes = try read(path, option: "--client-ca")
    let all = Certificate.read(pem: bytes)
    guard !all.isEmpty else {
      throw TLSProblem("`--client-ca \(path)` holds no certificate", help: "expected PEM: -----BEGIN CERTIFICATE-----")
    }
    if let other = all.first(where: { !$0.isAuthority }) {
      throw TLSProblem(
        "a certificate of `--client-ca \(path)` (\(other.subject)) is not one of a certificate authority",
        help: "name the certificate that has signed those of the clients")
    }
    guard all.contains(where: { $0.end >= now }) else {
      throw TLSProblem(
        "the certificate authority of `--client-ca \(path)` (\(all[0].subject)) has expired on "
          + all[0].endText,
        help: "no certificate that it has signed is valid any more: renew it")
    }
    return bytes
  }

  private static func read(_ path: String, option: String) throws(TLSProblem) -> [UInt8] {
    do {
      return try FileSystem.read(path, maximumBytes: 1 << 20).bytes
    } catch {
      throw TLSProblem("`\(option) \(path)`: \(error.message)", help: error.help)
    }
  }

  private static func isPEM(_ bytes: [UInt8]) -> Bool { String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") }

  private static func derHelp(_ command: String, _ path: String) -> String {
    "; from DER: openssl \(command) -inform der -in \(ShellQuoting().word(path))"
  }
}
