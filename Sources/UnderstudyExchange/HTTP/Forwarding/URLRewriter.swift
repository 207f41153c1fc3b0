/// Rewrites the URLs of one request for the upstream, and those of its response for the client.
package struct URLRewriter: Sendable {
  private let upstream: Upstream
  /// The address of this server as the client knows it: `http://localhost:4010`, or empty if the request has none.
  private let origin: String
  private let base: String

  /// - Parameter bases: The contract's base paths, in normal form.
  package init(_ upstream: Upstream, _ request: HTTPRequest, bases: @autoclosure () -> [[UInt8]]) {
    self.upstream = upstream
    origin = request.authority.map { "\(request.scheme ?? "http")://\($0)" } ?? ""
    base = upstream.path.isEmpty ? "" : Self.base(of: request.path ?? "/", bases())
  }

  /// The request for the upstream, whose `Host` it gets. `X-Forwarded-*` and `Forwarded` are not added: a server that
  /// builds links from them would link past the validator. A gateway must add `Via` (RFC 9110, 7.6.3).
  package func outbound(_ request: HTTPRequest) -> HTTPRequest {
    var fields = request.headerFields.endToEnd
    // The server has met the expectation, and the transport frames the body.
    for name in [HTTPField.Name.expect, .contentLength] { fields[name] = nil }
    fields.append(HTTPField(name: .via, value: Self.pseudonym))
    return HTTPRequest(
      method: request.method, scheme: upstream.scheme, authority: upstream.authority,
      path: target(request.path ?? "/"), headerFields: fields)
  }

  /// The handshake of a WebSocket for the upstream: without extensions, so that its frames can be read.
  package func outbound(upgrade request: HTTPRequest) -> HTTPRequest {
    var outbound = outbound(request)
    if let extensions = HTTPField.Name("Sec-WebSocket-Extensions") { outbound.headerFields[extensions] = nil }
    outbound.headerFields[.connection] = "Upgrade"
    outbound.headerFields[.upgrade] = "websocket"
    return outbound
  }

  package func inbound(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headerFields = HTTPFields(
      response.headerFields.endToEnd.map { field in
        switch field.name {
        case .location, .contentLocation: HTTPField(name: field.name, value: reference(field.value))
        case .setCookie: HTTPField(name: field.name, value: cookie(field.value))
        default: field
        }
      })
    return response
  }

  /// Whether a request passed this program so often that it must be in a loop.
  package static func isLoop(_ request: HTTPRequest) -> Bool {
    request.headerFields.lines(named: "via").reduce(0) { count, line in
      count + FieldSyntax.split(line.utf8, at: UInt8(ascii: ",")).count { $0.elementsEqual(pseudonym.utf8) }
    } >= hopLimit
  }

  /// Passes through this program before a request counts as a loop.
  package static let hopLimit = 5
  package static let pseudonym = "1.1 understudy"

  private func target(_ target: String) -> String {
    guard !upstream.path.isEmpty, target.utf8.first == UInt8(ascii: "/") else { return target }
    return upstream.path + String(Substring(target.utf8.dropFirst(base.utf8.count)))
  }

  private func path(_ path: String) -> String {
    guard !upstream.path.isEmpty, path.utf8.starts(with: upstream.path.utf8) else { return path }
    let rest = path.utf8.dropFirst(upstream.path.utf8.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return path }
    let mapped = base + String(Substring(rest))
    return mapped.isEmpty ? "/" : mapped
  }

  /// The longest base path of a target, as the target spells it.
  private static func base(of target: String, _ bases: [[UInt8]]) -> String {
    let path = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    let end = path.withUnsafeBufferPointer { buffer in bases.compactMap { BasePaths.end(of: $0, in: buffer) }.max() }
    return String(decoding: path.prefix(end ?? 0), as: UTF8.self)
  }

  private func reference(_ text: String) -> String {
    var reference = URIReference(text)
    if upstream.isOrigin(of: reference) {
      // Without an origin, a path is relative to the client's.
      let path = path(reference.path)
      (reference.scheme, reference.authority, reference.path) = (nil, nil, path.isEmpty ? "/" : path)
      return origin + reference.description
    }
    guard reference.scheme == nil, reference.authority == nil, reference.path.utf8.first == UInt8(ascii: "/") else {
      return text
    }
    reference.path = path(reference.path)
    return reference.description
  }

  /// A cookie that the client returns: without the upstream's domain, and over http without `Secure` (RFC 6265, 5.3).
  private func cookie(_ text: String) -> String {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let isPromised = text.utf8.starts(with: "__".utf8)
    let kept = parts.enumerated().compactMap { index, part -> String? in
      guard index > 0 else { return String(part) }
      let (name, value) = FieldSyntax.parameter(FieldSyntax.trimmed(Array(part.utf8)))
      switch name {
      case "domain" where isOwn(domain: value ?? ""): return nil
      case "secure" where upstream.scheme == "https" && !isPromised && !origin.utf8.starts(with: "https".utf8):
        return nil
      case "path" where value != nil: return " Path=" + path(value ?? "")
      default: return String(part)
      }
    }
    return kept.joined(separator: ";")
  }

  /// Whether the upstream may set cookies for a domain (RFC 6265, 5.1.3).
  private func isOwn(domain: String) -> Bool {
    let domain = FieldSyntax.lowercased(domain.utf8.drop { $0 == UInt8(ascii: ".") })
    let host = upstream.host
    return host.utf8.elementsEqual(domain.utf8) || host.hasSuffix("." + domain)
  }
}
