extension Rule {
  package static let fixture: [Rule] = []
}
