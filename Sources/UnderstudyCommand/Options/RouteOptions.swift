import ArgumentParser
import UnderstudyVerification

/// Routes of the command line.
struct RouteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also serve a route that no contract has: 'GET /health=200'. Repeatable.", valueName: "route=reply"))
  var route: [String] = []

  /// A routes file with the routes; `nil` without any. Throws if one has no reply, or one that is not YAML.
  func source() throws -> ContractSource? {
    guard !route.isEmpty else { return nil }
    for text in route {
      let member = try RouteArgument(text, of: "--route").member
      guard
        let problem = Contract.load(Self.source([member]), fixtures: nil).diagnostics.first(where: {
          $0.severity == .error
        })
      else { continue }
      throw CommandFailure(.usage, "`--route \(text)`: \(problem.message)", help: problem.help)
    }
    return Self.source(try route.map { try RouteArgument($0, of: "--route").member })
  }

  private static func source(_ members: [(String, JSON)]) -> ContractSource {
    let routes = JSON.object([("routes", .object(members))])
    return ContractSource("--route", name: "route", contents: JSONWriter.bytes(routes))
  }
}

/// A route on the command line: `GET /health=200`, `GET /users/{id}={json: {name: Ada}}`.
struct RouteArgument {
  /// The route and its reply, as in a routes file.
  let member: (String, JSON)

  init(_ text: String, of option: String) throws {
    let example = "as in 'GET /health=200' or 'GET /users/{id}={json: {name: Ada}}'"
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw CommandFailure(.usage, "`\(option) \(text)` has no reply: expected a route and its reply", help: example)
    }
    let value = String(text[text.index(after: equals)...])
    do {
      let root = try TextDocument.read(SourceFile(path: option, bytes: Array(value.utf8))).root
      member = (String(text[..<equals]), root)
    } catch {
      throw CommandFailure(
        .usage, "the reply of `\(option) \(text)` is not YAML: \(error.message)", help: error.help ?? example)
    }
  }
}
