import ArgumentParser
import UnderstudyServer
import UnderstudyVerification

#if TLS
import UnderstudyTLS
#endif

/// The running mock that `ctl` speaks to.
struct AdminOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The base URL of the mock, of a lane, or of an admin API that has moved: http://127.0.0.1:4010/__other. (default: UNDERSTUDY_BASE_URL, else http://127.0.0.1:4010)",
      valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "The lane to change. (default: that of --url, as in http://127.0.0.1:4010/~alice, else default)",
      valueName: "name"))
  var lane: String?

  @OptionGroup var trust: TrustOptions

  /// Calls the admin API, and ends the connection.
  func call<Result>(_ body: (AdminClient) async throws -> Result) async throws -> Result {
    let server = try server()
    let client = try UpstreamClient(
      timeout: .seconds(30), setting: "the time limit of ctl", trusting: try certificates(of: server))
    do {
      let result = try await body(AdminClient(server: server, transport: client.transport))
      await client.shutdown()
      return result
    } catch {
      await client.shutdown()
      throw error
    }
  }
}

extension AdminOptions {
  private func server() throws -> Upstream {
    let text = url ?? Environment["UNDERSTUDY_BASE_URL"] ?? "http://127.0.0.1:4010"
    return try Upstream(text, of: url == nil ? "`UNDERSTUDY_BASE_URL=\(text)`" : "`--url \(text)`")
  }

  /// The certificates that are trusted besides those of the system: that of `serve --tls` is one of them.
  private func certificates(of server: Upstream) throws -> [UInt8] {
    var certificates = try trust.certificates(for: server)
    #if TLS
    if server.scheme == "https", let own = try? FileSystem.read(CertificateFolder.ofUser().authorityPath).bytes {
      certificates += [UInt8(ascii: "\n")] + own
    }
    #endif
    return certificates
  }

  /// The lane that `--lane` or the URL names.
  var namedLane: String? {
    if let lane { return lane }
    guard let path = try? server().path, path.hasPrefix("/~") else { return nil }
    return String(LaneTarget(path).name)
  }

  /// The lane, as a part of a path; `~` is that of the address, which may be the port of one lane.
  var encodedLane: String { namedLane.map { PercentEncoding.encode($0, keeping: "") } ?? "~" }
}
