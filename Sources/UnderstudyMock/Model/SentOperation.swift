import UnderstudySockets

/// An operation of a contract whose request the mock sends: a webhook, or an operation of a callback.
package final class SentOperation: Sendable {
  /// `newPet` for a webhook, `subscribe.onEvent` for a callback; with its method where several have the name.
  package let name: String
  /// The key of the operation whose response is followed by the request; `nil` for a webhook.
  let cause: String?
  /// The URL with runtime expressions; `nil` for a webhook.
  package let expression: String?
  /// The operation with the documented responses of the receiver as its cells.
  package let operation: MockOperation
  /// The body of its file in `_callbacks`; `nil` for an example or a sample of the contract.
  let body: JSON?
  /// The reason that the file of the body is not used.
  package let problem: String?
  let settings: Settings

  /// The options of the mock that requests depend on.
  struct Settings {
    /// The hosts besides this machine, in lower case.
    let hosts: Set<String>
    /// The speed at which the pauses between two attempts pass.
    let speed: PlaybackSpeed
    let isDynamic: Bool
    let seed: String
  }

  private init(
    _ request: SentRequest, _ operation: MockOperation, of contract: Contract, _ settings: Settings
  ) {
    name = request.name
    cause = request.cause.map { "\(contract.name)/\($0)" }
    expression = request.expression
    (body, problem) = Self.body(of: name, contract)
    (self.operation, self.settings) = (operation, settings)
  }

  package var isWebhook: Bool { cause == nil }

  /// Whether it is of the contract of an operation.
  func isOf(_ other: MockOperation) -> Bool { operation.compiled.api.name.utf8Equals(other.compiled.api.name) }

  /// The folder of bodies below the fixtures of a contract.
  private static let folder = "_callbacks"

  /// The callbacks and webhooks that a contract declares, in its order.
  static func all(of contract: Contract, _ options: Mock.Options) -> [SentOperation] {
    let settings = Settings(
      hosts: options.callbackHosts, speed: options.speed, isDynamic: options.isDynamic, seed: options.seed)
    return contract.api.sentRequests.map { entry in
      let name = entry.name
      let compiled = contract.compiled.compiled(entry.operation, as: name)
      var validation = options.rules.validationOptions(for: name)
      validation.showsCertificates = options.showsCertificates
      let cells = contract.cells(of: compiled).map { MockCell($0, fixtures: []) }
      let operation = MockOperation(
        compiled, key: "\(contract.name)/\(name)", cells: cells, options: validation, isStored: false,
        isInScenario: false)
      return SentOperation(entry, operation, of: contract, settings)
    }
  }

  private static func body(of name: String, _ contract: Contract) -> (JSON?, problem: String?) {
    let folder = Path.join(contract.fixtures.folder, folder)
    for suffix in ["json", "yaml", "yml"] {
      let path = Path.join(folder, "\(name).\(suffix)")
      guard !name.contains("/"), FileSystem.isRegular(path) else { continue }
      do {
        return (try TextDocument.read(try FileSystem.read(path, within: contract.api.access)).root, nil)
      } catch let error as TextProblem {
        return (nil, "\(path): \(error.message)")
      } catch {
        return (nil, "\(path): \(error)")
      }
    }
    return (nil, nil)
  }
}

/// The callbacks and webhooks of all contracts, compiled on first use.
final class SentOperations: Sendable {
  let all: [SentOperation]

  init(_ contracts: [Contract], _ options: Mock.Options) {
    all = contracts.flatMap { SentOperation.all(of: $0, options) }
  }
}
