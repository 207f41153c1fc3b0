extension Rule {
  package static let request: [Rule] = []
}
