import ArgumentParser
import UnderstudyVerification

/// `understudy ctl show NUMBER`
struct ControlShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print one request with its answer, its findings, and why it was answered so.")

  @Argument(help: ArgumentHelp("Its number in the log.", valueName: "number"), transform: (1...Int.max).number)
  var number: Int

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, markdown }

  @Option(help: ArgumentHelp("text, json, or markdown for a report of a bug. (default: text)", valueName: "format"))
  var format = Format.text

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let detail = try await admin.call { try await $0.send(.get, "requests/\(number)") }
    switch format {
    case .text: Terminal.standardOutput.write(ExchangeText(detail).plain)
    case .json: Terminal.standardOutput.write(JSONWriter.text(detail, .pretty) + "\n")
    case .markdown: Terminal.standardOutput.write(ExchangeText(detail).markdown)
    }
  }
}
