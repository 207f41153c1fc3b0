import UnderstudySystem

/// An operation with its cells, validators and responses. Validators are made on first use: a run needs few.
package final class CompiledOperation: Sendable {
  package let operation: Operation
  package let api: API
  package let schemas: SchemaLibrary
  package let secrets: ContractSecrets
  /// `""` is the root.
  package let basePaths: [String]
  /// `x-understudy` of the operation over that of the contract.
  package let violations: ViolationMap
  package let cells: [CompiledCell]
  /// The default status: the lowest documented 2xx, or the lowest status without any. A routes file chooses it.
  package let successCode: Int
  /// Whether its default answer documents an `ETag`.
  package let hasEntityTag: Bool
  package let responses: ContractResponses
  private let lazyRequestValidator = Lazy<RequestValidator>()
  private let lazyResponseValidator = Lazy<ResponseValidator>()

  init(
    _ operation: Operation, of api: API, _ schemas: SchemaLibrary, _ secrets: ContractSecrets,
    basePaths: BasePathPolicy, violations: ViolationMap
  ) {
    self.operation = operation
    self.api = api
    self.schemas = schemas
    self.secrets = secrets
    self.basePaths = basePaths.paths(of: operation)
    self.violations = violations
    cells = operation.responses.map { CompiledCell(status: $0.status, response: $0) }
    successCode = operation.defaultStatus?.code ?? Self.successCode(of: cells)
    hasEntityTag = operation.response(for: successCode)?.headers.contains { $0.name.lowercased() == "etag" } ?? false
    responses = ContractResponses(operation: operation, schemas: schemas, access: api.access)
  }

  private static func successCode(of cells: [CompiledCell]) -> Int {
    let codes = cells.compactMap { if case .code(let code) = $0.status { code } else { nil } }
    if let success = codes.filter({ 200...299 ~= $0 }).min() { return success }
    if cells.contains(where: { $0.status == .range(2) || $0.status == .default }) { return 200 }
    return codes.min() ?? cells.first?.status.code ?? 200
  }

  package var id: String { operation.id }

  /// The code that a status is sent with: of `4XX` and `default` the first that no other documented status is for.
  package func code(of status: Response.Status) -> Int {
    let codes: [Int] =
      switch status {
      case .code: []
      case .range(let hundreds): Array(hundreds * 100...hundreds * 100 + 99)
      // It mostly describes errors.
      case .default: Array(500...599) + Array(400...499) + Array(200...399)
      }
    return codes.first { operation.response(for: $0)?.status == status } ?? status.code
  }

  /// The base path for display; empty for the root.
  package var basePath: String { basePaths.first ?? "" }

  package var requestValidator: RequestValidator {
    lazyRequestValidator.value { RequestValidator(operation, of: api, schemas, secrets) }
  }

  package var responseValidator: ResponseValidator {
    lazyResponseValidator.value { ResponseValidator(operation, of: api, schemas, secrets) }
  }

  package func exchangeValidator(_ options: ValidationOptions = ValidationOptions()) -> ExchangeValidator {
    ExchangeValidator(response: responseValidator, refusals: violations, options: options)
  }

  /// Whether an option names the operation: by its id, its `operationId`, its path with or without its method, or `*`. An
  /// id is the name of a folder, so it differs from an `operationId` with slashes.
  package func isNamed(_ text: String) -> Bool {
    guard text != "*", !text.utf8Equals(id), operation.operationId.map(text.utf8Equals) != true else { return true }
    let paths = [operation.path] + basePaths.map { $0 + operation.path }
    return paths.contains { text.utf8Equals($0) || text.utf8Equals("\(operation.method) \($0)") }
  }
}
