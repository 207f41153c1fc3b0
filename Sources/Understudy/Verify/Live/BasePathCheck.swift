/// Finds base URLs whose path is wrong: everything gets 404, and another path does not.
struct BasePathCheck: Sendable {
  let settings: LiveSettings
  let client: LiveClient

  /// The base paths of many servers.
  private static let usual = ["", "/api", "/v1", "/v2", "/api/v1", "/api/v2", "/api/v3", "/rest"]

  /// The finding, if nothing was found below the base URL and something is below another path.
  func finding(after exchanges: [Harvest.Exchange], of subjects: [LiveOperation]) async -> Diagnostic? {
    guard exchanges.count > 1, exchanges.allSatisfy({ $0.answer.status == 404 }), let first = exchanges.first,
      let subject = subjects.first(where: { $0.view(of: first.call.wire) != nil })
    else { return nil }
    let base = subject.writer.base
    let outer = base.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    let own = BasePaths.from(subject.operation.servers)
    let candidates = own + own.map { base + $0 } + [outer] + Self.usual
    for candidate in candidates.unique() where !candidate.utf8Equals(base) {
      guard let answer = try? await client.send(moved(first.call.wire, from: base, to: candidate)),
        // Any other status may be the answer of another operation.
        200...299 ~= answer.status || [401, 403].contains(answer.status)
      else { continue }
      let target = settings.target
      let right = "\(target.scheme)://\(target.authority)\(candidate)"
      return Diagnostic(
        .providerBasePath,
        "all of \(exchanges.count.counted("request")) got 404 below \(target.scheme)://\(target.authority)\(base)",
        at: Location(exchange: "/path"),
        help: "is \(right) the base URL? There \(first.call.wire.request.method.rawValue) "
          + "\(subject.operation.path) gets \(answer.status)")
    }
    return nil
  }

  private func moved(_ wire: WireRequest, from base: String, to other: String) -> WireRequest {
    var moved = wire
    moved.request.path = other + String(decoding: wire.target.utf8.dropFirst(base.utf8.count), as: UTF8.self)
    return moved
  }
}
