extension Rule {
  /// What can be wrong with the examples in a contract.
  package static let example: [Rule] = [exampleExternal]
}
