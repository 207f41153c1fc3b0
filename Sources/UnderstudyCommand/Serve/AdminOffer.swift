import ArgumentParser
import UnderstudyServer

/// Whether and where a mock offers its admin API and its console.
struct AdminOffer: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Offer the console and the admin API.")
  var admin = true

  @Option(
    help: ArgumentHelp(
      "Where they answer, for a contract that has this path itself. (default: \(AdminSettings.defaultRoot))",
      valueName: "path"))
  var adminPath: String?

  /// Throws if the path cannot be used.
  func checked() throws -> AdminChoice {
    guard let adminPath else { return AdminChoice(isOffered: admin) }
    guard admin else {
      throw CommandFailure(
        .usage, "`--admin-path` has no effect with `--no-admin`", help: "remove one of them")
    }
    if let problem = AdminSettings.problem(ofRoot: adminPath) {
      throw CommandFailure(.usage, "`--admin-path \(adminPath)` is not a path for the admin API", help: problem)
    }
    return AdminChoice(root: adminPath)
  }
}
