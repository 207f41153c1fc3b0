import ArgumentParser
import UnderstudyVerification

/// Loads the contracts of a command and reports their errors.
struct Loading {
  let common: CommonOptions
  let contracts: ContractOptions

  /// Throws if a contract cannot be used.
  /// - Parameter basePaths: The base paths of operations; `nil` for the configured ones.
  func load(
    _ configuration: Configuration, basePaths: BasePathPolicy? = nil, quietly: Bool = false
  ) async throws -> [Contract] {
    let sources = try await contracts.sources(configuration)
    let folder = try contracts.folder(configuration)
    var result: [Contract] = []
    for source in sources {
      let (contract, diagnostics) = Contract.load(
        source, fixtures: folder, basePaths: basePaths ?? configuration.basePaths())
      let shown = diagnostics.filter { contract == nil || $0.isAboutUse }
      if !quietly || contract == nil { common.report(shown) }
      guard let contract else {
        throw CommandFailure(
          .notLoadable, "\(source.path) cannot be used",
          help: source.isRemote || FileSystem.exists(source.path)
            ? "`\(contracts.lintCommand(source))` checks it again"
            : nil)
      }
      result.append(contract)
    }
    return result
  }
}

extension Diagnostic {
  /// Whether every command reports it: an error, or an overlay that does not change what it names.
  var isAboutUse: Bool { severity == .error || Rule.overlay.contains(rule) }
}
