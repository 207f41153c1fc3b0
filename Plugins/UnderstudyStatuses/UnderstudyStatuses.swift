import Foundation
import PackagePlugin

/// Writes the statuses of the contracts before each build: `understudy generate swift`, by the program that is installed.
///
/// The contracts are those of the `understudy.yaml` in the root of the package. A test target gets the cells as well.
@main
struct UnderstudyStatuses: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let configuration = context.package.directoryURL.appending(path: "understudy.yaml")
    guard FileManager.default.fileExists(atPath: configuration.path) else {
      Diagnostics.error(
        "\(configuration.path) does not exist: write it with the line `contracts: [specs/api.yaml]`, for example")
      return []
    }
    guard let program = Self.program() else {
      Diagnostics.error(
        """
        the program `understudy` is neither in PATH nor in /usr/local/bin: `make install` in a checkout installs it, or \
        UNDERSTUDY names it. The plugin does not build it, because that takes minutes.
        """)
      return []
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "Statuses.swift")
    let isTest = (target as? SwiftSourceModuleTarget)?.kind == .test
    return [
      .buildCommand(
        displayName: "Writing the statuses of the contracts for \(target.name)", executable: program,
        arguments: ["generate", "swift", "--config", configuration.path, "--output", output.path]
          + (isTest ? ["--cells"] : []),
        inputFiles: [configuration] + Self.documents(named: configuration), outputFiles: [output])
    ]
  }

  private static func program() -> URL? {
    let environment = ProcessInfo.processInfo.environment
    // Xcode has a short PATH.
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/local/bin", "/opt/homebrew/bin"]
    let candidates = [environment["UNDERSTUDY"]].compactMap(\.self) + folders.map { "\($0)/understudy" }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
  }

  /// The documents of every folder in which the configuration names a file: contracts, and what they may refer to.
  private static func documents(named configuration: URL) -> [URL] {
    let root = configuration.deletingLastPathComponent()
    let text = (try? String(contentsOf: configuration, encoding: .utf8)) ?? ""
    let words = text.split { $0.isWhitespace || "[]{},'\"".contains($0) }.map { root.appending(path: String($0)) }
    let folders = Set(words.filter(isDocument).map { $0.deletingLastPathComponent() })
    return folders.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }.filter(isDocument).sorted { $0.path < $1.path }
  }

  private static func isDocument(_ file: URL) -> Bool {
    ["yaml", "yml", "json"].contains(file.pathExtension) && FileManager.default.fileExists(atPath: file.path)
  }
}
