import ArgumentParser
import UnderstudyConsole
import UnderstudyMock
import UnderstudyReport
import UnderstudyServer
import UnderstudyVerification

/// Whether and where a mock offers its admin API.
struct AdminChoice: Hashable {
  var isOffered = true
  var root = AdminSettings.defaultRoot

  /// `nil` without an admin API. One that other machines reach has a token: that of UNDERSTUDY_ADMIN_TOKEN, or a new one.
  func settings(isLocal: Bool) throws -> (settings: AdminSettings, isNewToken: Bool)? {
    guard isOffered else { return nil }
    if let token = Environment["UNDERSTUDY_ADMIN_TOKEN"], !token.isEmpty {
      guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"\",;\\&#%+".utf8.contains($0) }) else {
        throw CommandFailure(
          .usage, "UNDERSTUDY_ADMIN_TOKEN cannot be a part of an address", help: "use letters, digits and `-_.`")
      }
      return (settings(isLocal, token: token), false)
    }
    return isLocal ? (settings(true, token: nil), false) : (settings(false, token: AdminSettings.newToken()), true)
  }

  private func settings(_ isLocal: Bool, token: String?) -> AdminSettings {
    AdminSettings(
      isLocal: isLocal, root: root, token: token, console: ConsoleFile.all,
      tools: AdminTools(
        saveFixture: { exchange, earlier, name, mock, redaction, mode throws(LaneProblem) in
          let fixture = try ExchangeFixture(exchange, after: earlier, name: name, of: mock, redaction)
          return AdminTools.SavedFixture(label: fixture.label, paths: try fixture.write(replacing: mode == .replacing))
        },
        requestForm: { operation, seed in OperationForm(operation.compiled, seed: seed).members }))
  }
}

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

/// Finds operations that the admin API hides.
enum AdminClash {
  static func findings(in mock: Mock, _ admin: AdminChoice) -> [Diagnostic] {
    guard admin.isOffered else { return [] }
    let root = admin.root
    return mock.operations.compactMap { operation in
      let path = operation.compiled.basePath + operation.compiled.operation.path
      guard path.utf8Equals(root) || path.utf8.starts(with: "\(root)/".utf8) else { return nil }
      return Diagnostic(
        .configRouteClash,
        "`\(operation.compiled.operation.method) \(path)` cannot be reached: the admin API answers below \(root)",
        at: Location(start: operation.compiled.operation.node),
        help: "move the admin API with `--admin-path /__understudy`, or leave it out with `--no-admin`")
    }
  }
}
