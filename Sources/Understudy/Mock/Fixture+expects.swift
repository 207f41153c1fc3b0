extension Fixture {
  /// Whether a refusal of this request with this status is meant: a `when` that fits describes both.
  func expects(_ status: Int, for request: any RequestValues) -> Bool {
    guard let when else { return false }
    let isOfStatus =
      switch self.status {
      case .code(let code): code == status
      case .range(let hundreds): hundreds == status / 100
      case .default: true
      }
    return isOfStatus && when.matches(request)
  }
}

extension Contract {
  /// The fixtures with a `when`, for each operation in the order of the contract.
  var conditionalFixtures: [[Fixture]] {
    compiled.operations.map { operation in (fixtures.fixtures[operation.id] ?? []).filter { $0.when != nil } }
  }
}
