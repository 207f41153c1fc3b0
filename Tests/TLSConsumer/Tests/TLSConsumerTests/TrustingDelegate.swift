#if canImport(Security)
import Foundation
import Security

/// Trusts one authority, as a client of Apple's systems does in a test: `TrustingDelegate(authority: api.authority ?? Data())`.
final class TrustingDelegate: NSObject, URLSessionDelegate {
  private let authority: Data

  init(authority: Data) { self.authority = authority }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async
    -> (URLSession.AuthChallengeDisposition, URLCredential?)
  {
    guard let trust = challenge.protectionSpace.serverTrust,
      let root = SecCertificateCreateWithData(nil, authority as CFData),
      SecTrustSetAnchorCertificates(trust, [root] as CFArray) == errSecSuccess, SecTrustEvaluateWithError(trust, nil)
    else { return (.cancelAuthenticationChallenge, nil) }
    return (.useCredential, URLCredential(trust: trust))
  }
}
#endif
