import UnderstudyVerification

/// The head of a request for libcurl, which adds only `Host` and the framing of the body.
struct WireHead {
  let url: String
  /// The exact request target; `nil` if libcurl derives it from the URL.
  let target: String?
  /// Whether the proxy of the environment is ignored.
  let isDirect: Bool
  /// In the notation of `EasyHandle.setFields`.
  let fields: [[UInt8]]

  init(_ request: HTTPRequest, hasBody: Bool) throws(UpstreamFailure) {
    let scheme = request.scheme ?? "http"
    let path = request.path ?? "/"
    guard scheme == "http" || scheme == "https", let authority = request.authority, !authority.isEmpty else {
      throw Self.unsendable("`\(scheme)://\(request.authority ?? "")` is not the address of an HTTP server")
    }
    // These bytes would end or split the request line.
    guard (authority + path).utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw Self.unsendable("its address has a space or a control character")
    }
    isDirect = Self.isLoopback(authority)
    // A proxy for http needs the whole URL as the target, and only libcurl determines whether this host has one.
    let mayBeProxied = scheme == "http" && !isDirect && Self.namesProxy
    url = "\(scheme)://\(authority)" + (mayBeProxied ? path : "/")
    target = mayBeProxied ? nil : path
    fields = Self.lines(request, hasBody: hasBody)
  }

  private static func unsendable(_ reason: String) -> UpstreamFailure {
    UpstreamFailure(.unsendable, "the request cannot be sent: \(reason)")
  }

  // MARK: - Fields

  private static func lines(_ request: HTTPRequest, hasBody: Bool) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for field in request.headerFields where !replaced.contains(field.name) {
      let value = field.withUnsafeBytesOfValue { Array($0) }
      lines.append(Array(field.name.rawName.utf8) + (value.isEmpty ? Array(";".utf8) : Array(": ".utf8) + value))
    }
    var defaults = ["Expect:", "Proxy-Connection:"]
    if request.headerFields[.accept] == nil { defaults.append("Accept:") }
    // Methods that usually have a body announce that there is none (RFC 9110, 8.6).
    if !hasBody, ![.get, .head, .delete, .connect, .trace].contains(request.method) {
      defaults.append("Content-Length: 0")
    }
    return lines + defaults.map { Array($0.utf8) }
  }

  /// Fields of the framing, and `Expect`, which would delay the body.
  private static let replaced: Set<HTTPField.Name> = [.contentLength, .transferEncoding, .expect]

  // MARK: - Proxies

  /// Requests to this machine use no proxy.
  private static func isLoopback(_ authority: String) -> Bool {
    let host = authority.lowercased()
    return host == "localhost" || host.hasPrefix("localhost:") || host.hasPrefix("127.") || host.hasPrefix("[::1]")
  }

  /// The variables that libcurl reads for http.
  private static var namesProxy: Bool {
    ["http_proxy", "all_proxy", "ALL_PROXY"].contains { Environment[$0]?.isEmpty == false }
  }
}
