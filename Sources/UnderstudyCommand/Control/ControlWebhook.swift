import ArgumentParser
import UnderstudyVerification

/// `understudy ctl webhook NAME --to URL`
struct ControlWebhook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhook", abstract: "Send a webhook or a callback of the contract, or list what it declares.")

  @Argument(help: ArgumentHelp("The webhook, or OPERATION.CALLBACK; without it they are listed.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("The address of the receiver.", valueName: "url"))
  var to: String?

  @Option(help: ArgumentHelp("The body, in place of one by the contract.", valueName: "text"))
  var json: String?

  @OptionGroup var admin: AdminOptions

  func validate() throws {
    if name != nil, to == nil { throw ValidationError("Missing expected option `--to`: the address of the receiver") }
    if name == nil, to != nil || json != nil {
      throw ValidationError("Missing expected argument: the name of a webhook")
    }
  }

  func run() async throws {
    guard let name, let to else { return try await list() }
    let body = try json.map { text throws in
      do throws(TextProblem) {
        return try JSONParser.parse(Array(text.utf8)).root
      } catch {
        throw CommandFailure(.usage, "`--json` is not JSON: \(error.message)")
      }
    }
    let order = JSON.object(
      present: [("to", .string(to)), ("body", body), ("lane", admin.namedLane.map { .string($0) })])
    let sent = try await admin.call {
      try await $0.send(.post, "webhooks/\(PercentEncoding.encode(name, keeping: ""))", order)
    }
    show(sent, to)
  }

  private func show(_ sent: JSON, _ to: String) {
    let attempts = sent["attempts"]?.int ?? 1
    let status = sent["status"]?.text ?? "no response"
    var lines = [
      "\(sent["method"]?.text ?? "") \(to) \(status)" + (attempts > 1 ? " after \(attempts.counted("attempt"))" : "")
    ]
    for finding in sent["findings"]?.elements ?? JSON.array([]).elements {
      lines.append(
        "  \(finding["severity"]?.text ?? "error"): \(finding["message"]?.text ?? "") [\(finding["rule"]?.text ?? "")]")
      if let help = finding["help"]?.string { lines.append("    help: \(help)") }
    }
    for line in lines { Terminal.standardOutput.write(DiagnosticPrinter.visible(line) + "\n") }
  }

  private func list() async throws {
    let root = try await admin.call { try await $0.send(.get, "webhooks") }
    let rows = (root["webhooks"]?.elements ?? JSON.array([]).elements).map { row in
      (row["name"]?.text ?? "", row["method"]?.text ?? "", row["unsent"]?.string ?? row["url"]?.text ?? "")
    }
    let width = rows.map(\.0.count).max() ?? 0
    for (name, method, text) in rows {
      let space = String(repeating: " ", count: width - name.count)
      Terminal.standardOutput.write(DiagnosticPrinter.visible("\(name)\(space)  \(method)  \(text)") + "\n")
    }
  }
}
