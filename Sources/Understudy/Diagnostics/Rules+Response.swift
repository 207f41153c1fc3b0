extension Rule {
  package static let response: [Rule] = []
}
