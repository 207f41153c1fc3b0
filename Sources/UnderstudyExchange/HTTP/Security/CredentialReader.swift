/// Reads the credential of one security scheme from a request. A class, because a struct would be copied at every request.
final class CredentialReader: Sendable {
  enum Outcome {
    case present(String)
    case missing(String)
    case malformed(String)
    case invisible(String)
  }

  private let kind: SecurityScheme.Kind
  /// The name of the header with an API key, in lower case; `nil` for other kinds.
  private let header: String?

  init(_ kind: SecurityScheme.Kind) {
    self.kind = kind
    if case .apiKey(let name, .header) = kind { header = FieldSyntax.lowercased(name.utf8) } else { header = nil }
  }

  /// - Parameter showsCertificates: Whether requests show the certificates of their clients.
  func read(
    _ fields: HTTPFields, _ input: @autoclosure () -> ParameterInput, _ showsCertificates: Bool
  ) -> Outcome {
    if let header {
      let value = fields.first(named: header)
      return header == "authorization" ? credentials(value) : key(value, keyPlace)
    }
    return switch kind {
    case .apiKey(let name, .query): key(input().query, name, keyPlace)
    case .apiKey(let name, .cookie): key(input().cookies, name, keyPlace)
    case .mutualTLS where showsCertificates:
      fields.first(named: "client-cert").map(Outcome.present) ?? .missing("the certificate of the client is missing")
    case .apiKey, .mutualTLS, .unknown: .invisible(invisible(showsCertificates: showsCertificates) ?? "")
    case .http(let scheme): authorization(scheme, fields)
    case .oauth2, .openIdConnect: authorization("bearer", fields)
    }
  }

  private var keyPlace: String {
    guard case .apiKey(let name, let location) = kind else { return "" }
    return location == .query ? "query parameter `\(name)`" : "\(location.rawValue) `\(name)`"
  }

  /// The part of the request with the credential: `/header`, `/query`.
  var place: String {
    if case .apiKey(_, let location) = kind { "/\(location.rawValue)" } else { "/header" }
  }

  /// Why no request can show the credential; `nil` if one can.
  func invisible(showsCertificates: Bool) -> String? {
    switch kind {
    case .apiKey(_, .header), .apiKey(_, .query), .apiKey(_, .cookie), .http, .oauth2, .openIdConnect: nil
    case .apiKey(let name, _): "requires an API key `\(name)` in a place that no version defines"
    case .mutualTLS: showsCertificates ? nil : "is a client certificate, which a request does not show"
    case .unknown(let type): "is of an unknown type: \(type)"
    }
  }

  private func key(_ pairs: WirePairs, _ name: String, _ place: @autoclosure () -> String) -> Outcome {
    guard let item = pairs.values(of: name).first else { return .missing("\(place()) is missing") }
    do {
      return key(try pairs.coding.decode(item.raw, key: name), place())
    } catch {
      return .malformed(error.sentence)
    }
  }

  /// An API key has no grammar, but must not be empty or contain white space.
  private func key(_ value: String?, _ place: @autoclosure () -> String) -> Outcome {
    guard let value else { return .missing("\(place()) is missing") }
    if !value.isEmpty, value.utf8.allSatisfy({ $0 > 32 }) { return .present(value) }
    let place = place()
    let bytes = FieldSyntax.trimmed(Array(value.utf8))
    if bytes.isEmpty { return .malformed("\(place) is empty") }
    if let blank = bytes.firstIndex(where: { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 32 }) {
      let scheme = FieldSyntax.lowercased(bytes[..<blank])
      return ["bearer", "basic", "token"].contains(scheme)
        ? .malformed("\(place) starts with `\(scheme)`; expected the bare key, without a scheme")
        : .malformed("\(place) contains white space")
    }
    return .present(String(decoding: bytes, as: UTF8.self))
  }

  /// The header `Authorization` as an API key: Swagger 2.0 has no other way to describe a bearer token, and servers expect
  /// `Bearer`, `token` or `Bot` before it, which their contracts do not name.
  private func credentials(_ value: String?) -> Outcome {
    let bytes = FieldSyntax.trimmed(Array((value ?? "").utf8))
    guard let blank = bytes.firstIndex(where: { $0 == 9 || $0 == 32 }) else {
      let isScheme = ["bearer", "basic", "token", "bot"].contains(FieldSyntax.lowercased(bytes[...]))
      return isScheme
        ? .malformed("\(keyPlace) has no credential after `\(String(decoding: bytes, as: UTF8.self))`")
        : key(value, keyPlace)
    }
    let credential = FieldSyntax.trimmed(Array(bytes[blank...]))
    return .present(String(decoding: credential, as: UTF8.self))
  }

  /// `Authorization: <scheme> <credential>`; the scheme is case-insensitive (RFC 9110, section 11.1).
  private func authorization(_ scheme: String, _ fields: HTTPFields) -> Outcome {
    let wanted = scheme.utf8.first.map { String(UnicodeScalar($0)).uppercased() + scheme.dropFirst() } ?? scheme
    guard let line = fields.first(named: "authorization") else {
      return .missing("header `Authorization: \(wanted) ...` is missing")
    }
    let bytes = FieldSyntax.trimmed(Array(line.utf8))
    let blank = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
    let credential = FieldSyntax.trimmed(Array(bytes[blank...]))
    if bytes.isEmpty { return .malformed("header `Authorization` is empty") }
    guard FieldSyntax.equalIgnoringCase(bytes[..<blank], scheme.utf8) else {
      return blank == bytes.count
        ? .malformed("header `Authorization` has no scheme; expected `\(wanted)` and a space before the credential")
        : .missing(
          "header `Authorization` has another scheme, `\(String(decoding: bytes[..<min(blank, 20)], as: UTF8.self))`; "
            + "expected `\(wanted)`")
    }
    if credential.isEmpty { return .malformed("header `Authorization` has no credential after `\(wanted)`") }
    switch FieldSyntax.lowercased(scheme.utf8) {
    case "bearer" where !Self.isToken68(credential):
      return .malformed("the bearer token contains invalid characters (RFC 6750, section 2.1)")
    case "basic" where !Self.isBasic(credential):
      return .malformed("the basic credential is not `user:password` in base64 (RFC 7617)")
    default: return .present(String(decoding: credential, as: UTF8.self))
    }
  }

  /// `token68` (RFC 9110, section 11.2).
  private static func isToken68(_ bytes: [UInt8]) -> Bool {
    let body = bytes.prefix { $0 != UInt8(ascii: "=") }
    return !body.isEmpty && body.allSatisfy { PercentEncoding.isUnreserved($0) || "+/".utf8.contains($0) }
      && bytes[body.count...].allSatisfy { $0 == UInt8(ascii: "=") }
  }

  private static func isBasic(_ bytes: [UInt8]) -> Bool {
    guard let decoded = Base64.decode(bytes) else { return false }
    return decoded.contains(UInt8(ascii: ":"))
  }
}
