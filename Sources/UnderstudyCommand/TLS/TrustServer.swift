#if TLS
import UnderstudyMock
import UnderstudyVerification
import UnderstudyServer
import UnderstudyTLS

/// Serves the certificate of the authority to phones, which have no other easy way to get a file.
struct TrustServer {
  private let fingerprint: String
  private let pages: [String: (type: String, body: [UInt8])]

  /// - Throws: `CommandFailure` if the certificate cannot be written.
  init(_ authority: Certificate) throws {
    guard let pem = authority.pem, let profile = AppleProfile.text(of: authority, name: "Understudy local CA") else {
      throw CommandFailure(
        .usage, "the certificate of the authority cannot be written", help: "`understudy tls status`")
    }
    fingerprint = authority.fingerprint
    pages = [
      "/": ("text/html; charset=utf-8", Array(Self.page.utf8)),
      "/understudy.mobileconfig": ("application/x-apple-aspen-config", Array(profile.utf8)),
      "/understudy.crt": ("application/x-x509-ca-cert", pem),
    ]
  }

  private static let page = """
    <!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Understudy</title>
    <body style="font: 1.1em system-ui; max-width: 34em; margin: 2em auto; padding: 0 1em">
    <h1>Trust the mock server</h1>
    <p><a href="/understudy.mobileconfig">iPhone and iPad: install the profile</a>, then turn it on: Settings, General, VPN &amp; Device
    Management; and Settings, General, About, Certificate Trust Settings.</p>
    <p><a href="/understudy.crt">Android and others: download the certificate</a>, then install it: Settings, Security, Encryption &amp;
    credentials, Install a certificate, CA certificate.</p></body></html>

    """

  private func reply(to request: HTTPRequest) -> Reply {
    let path = String((request.path ?? "/").prefix { $0 != "?" })
    guard let page = pages[path] else { return Self.refusal(404, "Not Found", [:]) }
    guard request.method == .get || request.method == .head else {
      return Self.refusal(405, "Method Not Allowed", [.allow: "GET, HEAD"])
    }
    let fields: HTTPFields = [.contentType: page.type, .cacheControl: "no-store"]
    return Reply(
      .made(HTTPResponse(status: .ok, headerFields: fields), body: page.body), source: ReplySource(.about(.overview)))
  }

  private static func refusal(_ status: Int, _ text: String, _ fields: HTTPFields) -> Reply {
    var fields = fields
    fields[.contentType] = "text/plain"
    return Reply(
      .made(HTTPResponse(status: .init(code: status), headerFields: fields), body: Array("\(text)\n".utf8)),
      source: ReplySource(.about(.overview)))
  }

  /// Serves on all interfaces until a signal.
  ///
  /// - Parameter port: 0 for a free one.
  func run(port: Int, isColored: Bool) async throws {
    let signals = Signals()
    var configuration = ServerConfiguration()
    (configuration.host, configuration.port, configuration.loops) = ("0.0.0.0", port, 1)
    let server = HTTPServer(responder: Responder { request, _ in reply(to: request) }, configuration: configuration)
    let address: ServerAddress
    do throws(ServerStartError) {
      address = try await server.start()
    } catch {
      throw CommandFailure(.notLoadable, error.description)
    }
    let urls = address.urlsForOthers.isEmpty ? [address.url] : address.urlsForOthers
    for url in urls {
      let code = QRCode(url + "/").map { $0.text(isColored: isColored) } ?? ""
      Terminal.standardOutput.write("\(url)/\n\(code)")
    }
    Terminal.standardOutput.write(
      """
      fingerprint, which the device shows too: SHA-256 \(fingerprint)
      Scan the code with a device in the same network; Ctrl-C stops the server.

      """)
    await signals.wait()
    await server.shutdown()
  }
}
#endif
