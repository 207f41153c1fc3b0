extension Rule {
  package static let coverage: [Rule] = [coverageShare, coverageCell]

  package static let coverageShare = Rule(
    "cov.share", .error, owner: .client, "Too few of the documented answers have a mark",
    help: """
      `coverage --min-coverage served=80` sets the minimum. The share is the number of answers with the mark, divided by the \
      number of answers that the contracts document. Undocumented answers do not count.
      """)

  package static let coverageCell = Rule(
    "cov.cell", .error, owner: .client, "A required cell was not served",
    help: "`coverage --require 'chat/*:200,401,500'` requires cells. A cell is an operation with one of its statuses.")

  package static let fixtureUnused = Rule(
    "fixture.unused", .info, owner: .fixture, "A fixture answered nothing in a whole recording",
    help: """
      Reported by `verify --har` for recordings of a mock (`serve --har`), if `rules` enables it: a recording of one test \
      uses few fixtures. `coverage` shows the same by cells.
      """)
}
