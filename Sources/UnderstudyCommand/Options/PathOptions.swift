import ArgumentParser

/// What a mock serves, below which paths, on which further ports, and by how many event loops.
struct PathOptions: ParsableArguments {
  @Flag(\.cors, help: "Let web pages of other origins read the answers. (default: --cors)")
  var cors: Bool?

  @Flag(\.basePath, help: "Serve below the paths of the contract's servers. (default: --base-path)")
  var basePath: Bool?

  @Flag(\.watch, help: "Load contracts and fixtures again when they change. (default: --watch)")
  var watch: Bool?

  @Option(
    help: ArgumentHelp(
      "Give a lane a port of its own: alice=4011; 0 takes a free one. Repeatable.", valueName: "lane=port"))
  var lanePort: [String] = []

  @Option(
    help: ArgumentHelp(
      "The number of event loops. (default: one for each processor that the program may use)", valueName: "number"),
    transform: (1...1_024).number)
  var loops: Int?
}
