import ArgumentParser
import UnderstudyVerification

/// `understudy ctl open NAME`
struct ControlOpen: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "open", abstract: "Open a lane, and print its address.")

  @Argument(help: ArgumentHelp("The lane; a new name without it.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("A port that the lane has to itself; 0 for a free one.", valueName: "number"),
    transform: (0...65_535).number)
  var port: Int?

  @Option(help: ArgumentHelp("The scenario that it plays.", valueName: "name"))
  var scenario: String?

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let opening = JSON.object(present: [
      ("name", (name ?? admin.lane).map(JSON.string)), ("port", port.map(JSON.integer)),
      ("scenario", scenario.map(JSON.string)),
    ])
    let lane = try await admin.call { try await $0.send(.post, "lanes", opening) }
    Terminal.standardOutput.write(DiagnosticPrinter.visible(lane["url"]?.text ?? "") + "\n")
  }
}

/// `understudy ctl close NAME`
struct ControlClose: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Close a lane and its port, and show its verdict; exit 1 if that is an error.")

  @Argument(help: ArgumentHelp("The lane.", valueName: "name"))
  var name: String

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let path = "lanes/\(PercentEncoding.encode(name, keeping: ""))"
    let verdict = try await admin.call { try await $0.send(.delete, path) }
    try ControlVerdict.report(verdict, of: name)
  }
}
