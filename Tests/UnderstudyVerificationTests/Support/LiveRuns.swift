import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyVerification

/// A server that lives in this process.
typealias LocalServer = @Sendable (HTTPRequest, [UInt8]) -> (HTTPResponse, [UInt8])

extension Mock {
  /// The mock as a server without a socket, with one lane.
  var server: LocalServer {
    let lane = Lane(newState())
    return { request, body in
      let reply = self.reply(to: request, body: body, in: lane)
      let response: HTTPResponse =
        switch reply.content {
        case .prepared(let prepared): prepared.response
        case .made(let response, _), .streamed(let response, _): response
        }
      return (response, reply.body)
    }
  }
}

/// A request body of more than a megabyte, which no test sends.
struct BodyTooLong: Error {}

/// The report about a server by contracts; a request that the server throws at gets no response.
func live(
  _ contracts: [Contract], on server: @escaping @Sendable (HTTPRequest, [UInt8]) throws -> (HTTPResponse, [UInt8]),
  configure: (inout LiveSettings) -> Void = { _ in }
) async throws -> Report {
  let target = try #require(Upstream("http://localhost:8080"))
  var settings = LiveSettings(target: target)
  settings.allowsUnsafe = true
  configure(&settings)
  var report = Report(Report.Run("verify live", contracts: [], target: target.url, startedAt: ""))
  await LiveVerifier(contracts, settings: settings) { request, body in
    guard case .whole(let bytes) = try await body.collected(upTo: 1_000_000) else { throw BodyTooLong() }
    let (response, answer) = try server(request, bytes)
    return (response, Body(answer))
  }.verify(into: &report)
  return report
}

extension Report {
  /// `GET /pets 200 resp.body.schema`, in order.
  var reported: [String] {
    findings.map { finding in
      [finding.subject.title, finding.subject.status ?? "", finding.rule].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Each finding with what a person needs to see it again.
  var explained: String {
    findings.map { "\($0.subject.title): \($0.rule): \($0.message)\n  \($0.reproduction ?? "-")" }.joined(
      separator: "\n")
  }
}
