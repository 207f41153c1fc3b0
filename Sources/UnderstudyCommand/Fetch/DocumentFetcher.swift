import UnderstudyVerification

/// Fetches documents by http(s) and follows redirects.
struct DocumentFetcher: Sendable {
  let transport: Transport
  /// Fields such as `Authorization`, which are sent only to the origin of the first request.
  var fields = HTTPFields()
  /// Whether a redirect may lead to another host.
  var followsAway = true

  /// A successful response.
  struct Answer: Sendable {
    /// The URL after redirects, the base of relative references (RFC 3986, 5.1.3).
    var url: String
    var bytes: [UInt8]
    var contentType: String
    /// The values of `Link`.
    var links: [String]
  }

  struct Failure: Error {
    var url: String
    /// A clause that starts in lower case.
    var message: String
    var help: String?
  }

  private static let maximumRedirects = 5
  /// Prefers the document to the page that shows it.
  private static let accept =
    "application/vnd.oai.openapi+json, application/json, application/yaml;q=0.9, text/yaml;q=0.9, text/html;q=0.5, */*;q=0.1"

  func get(_ text: String) async throws(Failure) -> Answer {
    var url = URIReference(text).withoutFragment
    let origin = url
    for _ in 0...Self.maximumRedirects {
      let (response, body) = try await send(url, withFields: url.isSameOrigin(as: origin))
      guard 300..<400 ~= response.status.code, let location = response.headerFields[.location] else {
        return try await read(response, body, from: url)
      }
      let next = URIReference(location).resolved(against: url).withoutFragment
      guard next.scheme == "https" || next.scheme == url.scheme, next.isRemote else {
        throw Failure(url: url.description, message: "it redirects to \(next), which is not \(url.scheme ?? "http")")
      }
      guard followsAway || next.isOfHost(of: origin) else {
        throw Failure(
          url: url.description, message: "it redirects to another host: \(next)",
          help: "allow that with `--allow-remote-refs`")
      }
      url = next
    }
    throw Failure(url: text, message: "it redirects more than \(Self.maximumRedirects) times")
  }

  private func send(_ url: URIReference, withFields: Bool) async throws(Failure) -> (HTTPResponse, Body) {
    guard let origin = url.origin else {
      throw Failure(
        url: url.description, message: "it is not a URL without user and password",
        help: "expected https://host/path; `understudy fetch --header 'Authorization: ...'` sends credentials")
    }
    var request = HTTPRequest(
      method: .get, scheme: origin.scheme, authority: origin.authority,
      path: (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?" + $0 } ?? ""))
    request.headerFields[.accept] = Self.accept
    request.headerFields[.userAgent] = "understudy/\(Version.current)"
    if withFields { for field in fields { request.headerFields[field.name] = field.value } }
    do {
      return try await transport(request, Body())
    } catch {
      throw Failure(url: url.description, error)
    }
  }

  /// The option for the URL of a server, which is not the URL of a contract; empty for a subcommand without one.
  static var serverOption: String {
    switch CommandLine.arguments.dropFirst().first {
    case "serve", "mock", "run", "record": "; `--upstream URL` names a server that gets the requests"
    case "verify": "; `--live URL` names a server to validate"
    default: ""
    }
  }

  private func read(_ response: HTTPResponse, _ body: Body, from url: URIReference) async throws(Failure) -> Answer {
    let status = response.status.code
    guard 200..<300 ~= status else {
      throw Failure(
        url: url.description, message: "the server answers \(status) \(response.status.reasonPhrase)",
        help: status == 401 || status == 403
          ? "`understudy fetch --header 'Authorization: ...' \(url)` saves it with credentials" : nil)
    }
    let collected: Body.Collected
    do {
      collected = try await body.collected(upTo: FileSystem.maximumBytes)
    } catch {
      throw Failure(url: url.description, error)
    }
    guard case .whole(let bytes) = collected else {
      throw Failure(url: url.description, message: "it is larger than \(FileSystem.maximumBytes.asBytes)")
    }
    return Answer(
      url: url.description, bytes: bytes, contentType: response.headerFields[.contentType] ?? "",
      links: HTTPField.Name("Link").map { response.headerFields[values: $0] } ?? [])
  }
}

extension DocumentFetcher.Failure {
  fileprivate init(url: String, _ error: any Error) {
    let failure = error as? UpstreamFailure
    let help: String? =
      switch failure?.kind {
      case .refused: "nothing listens there: start the server, or check host and port"
      case .unknownHost: "check the name of the host"
      case .tls: "check `https` and the certificate; a server without TLS has an `http` URL"
      default: nil
      }
    self.init(url: url, message: failure?.message ?? "the response broke off", help: help)
  }
}

extension URIReference {
  /// The server of a URL; `nil` without a host or with a user.
  var origin: Upstream? {
    guard let scheme, let authority else { return nil }
    return Upstream("\(scheme)://\(authority)")
  }

  /// Whether two URLs have the same scheme, host and port (RFC 6454, 5).
  func isSameOrigin(as other: URIReference) -> Bool { other.origin?.isOrigin(of: self) ?? false }

  /// Whether a URL has the origin of another one, or is its form with https.
  func isOfHost(of other: URIReference) -> Bool {
    if isSameOrigin(as: other) { return true }
    guard let own = origin, let named = other.origin else { return false }
    return own.scheme == "https" && named.scheme == "http" && own.authority == named.authority
  }
}
