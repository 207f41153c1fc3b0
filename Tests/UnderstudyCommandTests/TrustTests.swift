import Foundation
import Testing
import UnderstudyTestSupport

/// A server whose certificate only its own team trusts, as most staging servers are.
struct TrustTests {
  private static let openSSL = "/usr/bin/openssl"
  static let isPossible = PythonServer.path != nil && FileManager.default.isExecutableFile(atPath: openSSL)

  @Test(.enabled(if: isPossible, "skipped: no Python or no openssl"))
  func `a named certificate is trusted`() throws {
    try Self.withServer { server, folder in
      let live = ["verify", "shop.yaml", "--live", server, "--operation", "readPet", "--mode", "positive"]
      let refused = try Command.run(Command.path, live, in: folder)
      #expect(refused.code == 4)
      #expect(refused.error.contains("its certificate is not trusted: name its authority with --cacert"))
      #expect(try Command.run(Command.path, live + ["--cacert", "certificate.pem"], in: folder).code == 0)
      #if !canImport(Darwin)
      let file = ["SSL_CERT_FILE": "certificate.pem"]
      #expect(try Command.run(Command.path, live, in: folder, environment: file).code == 0)
      #endif
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python or no openssl"))
  func `a proxy trusts a named certificate`() throws {
    try Self.withServer { server, folder in
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", server, "--cacert", "certificate.pem", "--no-watch"], in: folder)
      defer { mock.stop() }
      let answer = try Curl.get(mock.url + "/pets/1")
      #expect(answer.status == 200)
      #expect(answer.body == #"{"id":1,"name":"Tom"}"#)
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python or no openssl"))
  func `a certificate for another host is not the server's`() throws {
    try Self.withServer(names: "DNS:elsewhere.test") { server, folder in
      let failure = try proxied(server, in: folder)
      let host = server.dropFirst("https://".count)
      #expect(failure.contains("its certificate is for another host than \(host)") || !Self.namesFaults)
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python or no openssl"))
  func `a certificate of the past has expired`() throws {
    try Self.withServer(days: "-startdate 20200101000000Z -enddate 20200102000000Z") { server, folder in
      let failure = try proxied(server, in: folder)
      #expect(failure.contains("its certificate has expired") || !Self.namesFaults)
    }
  }

  /// Whether libcurl uses OpenSSL, whose messages and codes say what is wrong with a certificate. Apple's does not.
  #if canImport(Darwin)
  private static let namesFaults = false
  #else
  private static let namesFaults = true
  #endif

  /// What a proxy answers in place of the server.
  private func proxied(_ server: String, in folder: String) throws -> String {
    let mock = try ServedMock(
      ["shop.yaml", "--upstream", server, "--cacert", "certificate.pem", "--no-watch"], in: folder)
    defer { mock.stop() }
    let answer = try Curl.get(mock.url + "/pets/1")
    #expect(answer.status == 502)
    #expect(answer.body.contains("urn:understudy:problem:upstream-tls"))
    return answer.body
  }

  @Test(
    arguments: [
      ("none.pem", "`--cacert none.pem`: no such file or folder"),
      ("shop.yaml", "`--cacert shop.yaml` holds no certificate"),
    ])
  func `a file without certificates is reported`(_ file: String, _ message: String) throws {
    try withProject(["shop.yaml": Shop.contract]) { folder in
      for arguments in [["verify", "--live"], ["serve", "--port", "0", "--upstream"]] {
        let result = try Command.run(
          Command.path, arguments + ["https://127.0.0.1:1", "shop.yaml", "--cacert", file], in: folder)
        #expect(result.code == 2)
        #expect(result.error.hasPrefix("error: \(message)"), "\(result.error)")
      }
    }
  }

  /// A server at https, with a certificate that no system trusts, while `body` runs.
  static func withServer(
    names: String = "IP:127.0.0.1", days: String = "-days 2", _ body: (_ url: String, _ folder: String) throws -> Void
  ) throws {
    try withProject(["shop.yaml": Shop.contract, "openssl.cnf": Self.authority, "index.txt": ""]) { folder in
      let made = try Command.run(
        "/bin/sh",
        [
          "-ec",
          """
          \(Self.openSSL) req -new -newkey rsa:2048 -nodes -subj /CN=localhost -addext 'subjectAltName=\(names)' \
            -config openssl.cnf -keyout key.pem -out request.pem
          \(Self.openSSL) ca -batch -selfsign -config openssl.cnf -keyfile key.pem -in request.pem -notext \
            \(days) -out certificate.pem
          """,
        ], in: folder)
      #expect(made.code == 0, "\(made.error)")
      let server = try PythonServer(Self.program, in: folder)
      defer { server.stop() }
      try body("https://127.0.0.1:\(server.port)", folder)
    }
  }

  /// The settings that `openssl` requires of an authority.
  private static let authority = """
    [req]
    distinguished_name = any
    [ca]
    default_ca = own
    [own]
    database = index.txt
    new_certs_dir = .
    rand_serial = yes
    default_md = sha256
    policy = named
    copy_extensions = copy
    [named]
    commonName = supplied
    [any]

    """

  private static let program = """
    import http.server, ssl

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def do_GET(self):
            body = b'{"id":1,"name":"Tom"}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("certificate.pem", "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port)
    server.serve_forever()
    """
}
