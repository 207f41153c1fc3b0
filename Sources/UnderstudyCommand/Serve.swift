import ArgumentParser
import Understudy
import UnderstudyServer

/// `understudy serve SPEC...`: the main job.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stand in for the backend: answer every operation and status from fixtures, examples or samples.")

  @OptionGroup var contracts: ContractOptions

  @Option(name: .shortAndLong, help: "The port; 0 takes a free one and prints it. (default: 4010)")
  var port: Int?

  @Option(help: "The address to listen on. (default: 127.0.0.1)")
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Answer an operation always with one cell: joinQueue=203, joinQueue=penaltyFirst, readChat=200.empty, '*=500'. Repeatable.",
      valueName: "operation=cell"))
  var force: [String] = []

  @Option(
    help: ArgumentHelp(
      "A request that breaks the contract gets: contract, problem or warn. (default: contract)", valueName: "policy"))
  var onInvalid: String?

  @Flag(
    name: [.customShort("d"), .long], inversion: .prefixedNo,
    help: "Answer with samples of the schema instead of fixtures and examples.")
  var dynamic: Bool?

  @Option(help: ArgumentHelp("Seeds the samples: the same seed gives the same bytes. (default: 0)", valueName: "text"))
  var seed: String?

  @Flag(inversion: .prefixedNo, help: "Let web pages of other origins read the answers. (default: --cors)")
  var cors: Bool?

  @Flag(inversion: .prefixedNo, help: "Serve below the paths of the contract's servers. (default: --base-path)")
  var basePath: Bool?

  @Flag(inversion: .prefixedNo, help: "Load contracts and fixtures again when they change. (default: --watch)")
  var watch: Bool?

  @Flag(name: .shortAndLong, help: "No line per request.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Show warnings about contracts and fixtures as well.")
  var verbose = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let configuration = try common.configuration()
    let session = ServeSession(
      options: try options(configuration), paths: try contracts.paths(configuration),
      fixtures: contracts.folder(configuration),
      host: host ?? Environment["UNDERSTUDY_HOST"] ?? configuration.host ?? "127.0.0.1", port: try port(configuration),
      watches: watch ?? configuration.watches ?? true, isQuiet: quiet, isVerbose: verbose, common: common)
    try await session.run()
  }

  private func port(_ configuration: Configuration) throws -> Int {
    var chosen = port ?? configuration.port ?? 4010
    if port == nil, let text = Environment["UNDERSTUDY_PORT"] {
      guard let number = Int(text) else {
        throw CommandFailure(.usage, "UNDERSTUDY_PORT is `\(text)`, expected a port from 0 to 65535")
      }
      chosen = number
    }
    guard 0...65_535 ~= chosen else {
      throw CommandFailure(.usage, "\(chosen) is no port", help: "expected 0 to 65535")
    }
    return chosen
  }

  private func options(_ configuration: Configuration) throws -> MockEngine.Options {
    var options = MockEngine.Options()
    if let text = onInvalid ?? Environment["UNDERSTUDY_ON_INVALID"] ?? configuration.onInvalid {
      guard let policy = MockEngine.InvalidPolicy(rawValue: text) else {
        let known = MockEngine.InvalidPolicy.allCases.map(\.rawValue)
        throw CommandFailure(
          .usage, "`--on-invalid \(text)` is unknown",
          help: Suggestion.phrase(for: text, among: known) ?? "known: \(known.joined(separator: ", "))")
      }
      options.onInvalid = policy
    }
    // Later rules win: the command line over the file.
    for text in configuration.force + force {
      guard let rule = ForcingRule(text) else {
        throw CommandFailure(
          .usage, "`--force \(text)` lacks a side", help: "expected operation=cell, as in joinQueue=penaltyFirst")
      }
      options.forced.append(rule)
    }
    options.isDynamic = dynamic ?? configuration.isDynamic ?? false
    options.seed = seed ?? Environment["UNDERSTUDY_SEED"] ?? configuration.seed ?? "0"
    options.allowsCrossOrigin = cors ?? configuration.allowsCrossOrigin ?? true
    options.usesBasePaths = basePath ?? configuration.usesBasePaths ?? true
    return options
  }
}
