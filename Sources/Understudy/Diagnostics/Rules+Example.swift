extension Rule {
  package static let example: [Rule] = []
}
