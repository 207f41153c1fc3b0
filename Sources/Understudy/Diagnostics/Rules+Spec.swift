extension Rule {
  package static let spec: [Rule] = []
}
