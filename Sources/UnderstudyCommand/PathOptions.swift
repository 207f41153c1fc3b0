import ArgumentParser

/// What a mock serves, below which paths and on which further ports.
struct PathOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Let web pages of other origins read the answers. (default: --cors)")
  var cors: Bool?

  @Flag(inversion: .prefixedNo, help: "Serve below the paths of the contract's servers. (default: --base-path)")
  var basePath: Bool?

  @Flag(inversion: .prefixedNo, help: "Load contracts and fixtures again when they change. (default: --watch)")
  var watch: Bool?

  @Option(
    help: ArgumentHelp(
      "Give a lane a port of its own: alice=4011; 0 takes a free one. Repeatable.", valueName: "lane=port"))
  var lanePort: [String] = []
}
