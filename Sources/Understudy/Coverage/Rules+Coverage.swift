extension Rule {
  /// What a coverage can lack that somebody asked for.
  package static let coverage: [Rule] = [coverageShare, coverageCell]

  package static let coverageShare = Rule(
    "cov.share", .error, owner: .client, "Too few of the documented answers have a mark",
    help: """
      `coverage --min-coverage served=80` asks for it. The number is the answers with the mark out of those that the contracts \
      document; what no contract documents never counts.
      """)

  package static let coverageCell = Rule(
    "cov.cell", .error, owner: .client, "A cell that must be served was not",
    help: "`coverage --require 'chat/*:200,401,500'` asks for it. A cell is an operation with one of its statuses.")
}
