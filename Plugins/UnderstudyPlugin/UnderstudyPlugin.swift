import Foundation
import PackagePlugin

/// `swift package understudy <arguments>`: the command in the version that the package depends on.
@main
struct UnderstudyPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    // Built here, since a dependency of a plugin must be a product that is called like its target.
    let built = try packageManager.build(
      .product("understudy"), parameters: .init(configuration: .release, echoLogs: false))
    guard built.succeeded, let command = built.builtArtifacts.first(where: { $0.kind == .executable }) else {
      Diagnostics.error("understudy could not be built:\n\(built.logText)")
      return
    }
    let process = Process()
    process.executableURL = command.url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    // SwiftPM ends with 1 for every error of a plugin; the command's own code must reach the shell.
    exit(process.terminationReason == .exit ? process.terminationStatus : 70)
  }
}
