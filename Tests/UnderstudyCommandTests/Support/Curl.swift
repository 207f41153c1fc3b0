import UnderstudyTestSupport

/// curl, as a user types it.
enum Curl {
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  static func send(_ exchange: Scenario.Exchange, to url: String) throws -> Answer {
    var arguments = ["-sS", "-i", "--path-as-is", "-g", "-X", exchange.method, url + exchange.target]
    for (name, value) in exchange.headers { arguments += ["-H", "\(name): \(value)"] }
    if !exchange.body.isEmpty { arguments += ["--data-binary", exchange.body] }
    let result = try Command.run("/usr/bin/curl", arguments)
    let parts = result.output.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = (parts.first ?? "").split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let pair = line.split(separator: ":", maxSplits: 1)
      headers[pair[0].lowercased()] = pair.count > 1 ? String(pair[1].drop { $0 == " " }) : ""
    }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, headers: headers, body: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Sends a GET.
  static func get(_ url: String, _ headers: (name: String, value: String)...) throws -> Answer {
    try send(Scenario.Exchange(method: "GET", target: "", headers: headers), to: url)
  }
}
