import UnderstudyServer
import UnderstudyVerification

/// A client of the admin API of a running mock.
struct AdminClient {
  let server: Upstream
  let transport: Transport

  /// The API is the same for all lanes, so that of a lane's URL counts for nothing here.
  private var root: String {
    let path = server.path.hasPrefix("/~") ? LaneTarget(server.path).path : server.path
    return path.isEmpty || path == "/" ? AdminSettings.defaultRoot : path
  }

  /// Sends a request, and returns the JSON of its answer. Throws what the server refuses.
  func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> JSON {
    let bytes = try await bytes(method, path, body)
    guard let root = try? JSONParser.parse(bytes).root else { throw notOurs(path) }
    return root
  }

  /// Sends a request, and returns the body of its answer.
  func bytes(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> [UInt8] {
    let (response, body) = try await exchange(method, path, body.map { JSONWriter.bytes($0) } ?? [])
    return try await read(body, of: response, path)
  }

  /// Reads the pieces of an answer as they arrive.
  func follow(_ path: String, _ piece: ([UInt8]) throws -> Void) async throws {
    let (response, body) = try await exchange(.get, path, [])
    guard response.status == .ok else {
      _ = try await read(body, of: response, path)
      return
    }
    do {
      for try await bytes in body { try piece(bytes) }
    } catch let failure as UpstreamFailure where failure.kind == .closed {
      // The mock has stopped.
    }
  }

  private func read(_ body: Body, of response: HTTPResponse, _ path: String) async throws -> [UInt8] {
    guard case .whole(let bytes) = try await body.collected(upTo: 64 << 20) else { throw notOurs(path) }
    guard response.status.code >= 400 else { return bytes }
    guard let problem = try? JSONParser.parse(bytes).root, let detail = problem["detail"]?.string,
      problem["type"]?.string?.hasPrefix("urn:understudy:problem:") == true
    else { throw notOurs(path) }
    if problem["type"]?.string?.hasSuffix(":unknown-path") == true {
      throw CommandFailure(
        .nothingChecked, "the mock at \(server.url) has no admin API at \(root)",
        help: "it was started with --no-admin, or with another --admin-path, which --url takes after the address")
    }
    // The body is one that this program wrote.
    let (message, help) = Self.split(String(detail.trimmingPrefix(#/body:\d+:\d+:\s|/routes/[^:]*:\s/#)))
    let isSuggestion = help?.hasPrefix("did you mean") == true
    let better = isSuggestion ? nil : Self.commandHelp(for: message, response.status)
    throw CommandFailure(.usage, message, help: better ?? help)
  }

  /// The message and the help of a detail, which ends with its help in brackets.
  private static func split(_ detail: String) -> (message: String, help: String?) {
    guard detail.hasSuffix(")"), !detail.contains("); ") else { return (detail, nil) }
    var depth = 0
    for index in detail.indices.reversed() {
      if detail[index] == ")" { depth += 1 }
      if detail[index] == "(" { depth -= 1 }
      guard depth == 0 else { continue }
      let message = detail[..<index]
      guard message.hasSuffix(" ") else { break }
      return (String(message.dropLast()), String(detail[detail.index(after: index)...].dropLast()))
    }
    return (detail, nil)
  }

  /// The help of a problem whose remedy is a command; `nil` for others, whose help the mock gives.
  private static func commandHelp(for message: String, _ status: HTTPResponse.Status) -> String? {
    if status == .unauthorized {
      return "set the token that the mock printed at its start, as in `UNDERSTUDY_ADMIN_TOKEN=TOKEN understudy ctl log`"
    }
    guard let lane = message.wholeMatch(of: /no lane `(.+)` is open/)?.1 else { return nil }
    return "`understudy ctl open \(lane)` opens it, `understudy ctl lanes` lists the open lanes"
  }

  private func exchange(
    _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]
  ) async throws -> (HTTPResponse, Body) {
    var request = HTTPRequest(
      method: method, scheme: server.url.hasPrefix("https") ? "https" : "http", authority: server.authority,
      path: "\(root)/\(path)")
    if let token = Environment["UNDERSTUDY_ADMIN_TOKEN"] { request.headerFields[.authorization] = "Bearer \(token)" }
    if !body.isEmpty { request.headerFields[.contentType] = "application/json" }
    do {
      return try await transport(request, Body(body))
    } catch let failure as UpstreamFailure {
      throw CommandFailure(
        .nothingChecked, "no mock answers at \(server.url): \(failure.message)",
        help: "start one with `understudy serve`, or name its address with --url")
    }
  }

  private func notOurs(_ path: String) -> CommandFailure {
    CommandFailure(
      .nothingChecked, "\(server.url) has no admin API of Understudy: \(root)/\(path) is answered by something else",
      help: "name the base URL of a running `understudy serve` with --url")
  }
}
