extension Rule {
  /// The rules about two versions of a contract.
  package static let diff: [Rule] =
    diffContract + diffParameters + diffBodies + diffResponses + diffSecurity + diffCalls + diffEvents
    + DifferenceKind.reported.map(\.request)
    + [diffRequestUndecided, diffRequestWidened] + DifferenceKind.reported.map(\.response)
    + [diffResponseUndecided, diffResponseNarrowed]

  /// A rule with an example of a change that it reports, and one of a change that it does not: by default the opposite one.
  static func diff(
    _ id: String, _ severity: Severity, _ summary: String, help: String = "", old: String, new: String,
    quiet: (old: String, new: String)? = nil, text: @escaping @Sendable (String) -> String = operations
  ) -> Rule {
    Rule(
      "diff.\(id)", severity, owner: .contract, summary, help: help.isEmpty ? Self.help(of: severity) : help,
      pairs: [
        PairExample(text(old), text(new), isReported: true),
        PairExample(text(quiet?.old ?? new), text(quiet?.new ?? old), isReported: false),
      ])
  }

  private static func help(of severity: Severity) -> String {
    switch severity {
    case .error:
      "A client that follows the old contract fails. Keep the old form beside the new one, or raise the major version."
    case .warning: "Some clients may fail. Check those that use it."
    case .info: "No client that follows the old contract fails."
    }
  }

  /// A contract with the operations of `/pets`.
  static let operations: @Sendable (String) -> String = { text in
    contract("paths:\n  /pets:\n\(indented(text, by: 4))")
  }

  /// A contract with these members after its version.
  static let contract: @Sendable (String) -> String = { text in
    "openapi: 3.1.0\ninfo: {title: Pets, version: \"1\"}\n\(text)"
  }

  /// `GET /pets` with these lines beside its response.
  static let get: @Sendable (String) -> String = { text in
    operations("get:\n  responses: {\"200\": {description: OK}}\n\(indented(text, by: 2))")
  }

  /// `GET /pets` with these responses.
  static let responses: @Sendable (String) -> String = { text in
    operations("get:\n  responses:\n\(indented(text, by: 4))")
  }

  static func indented(_ text: String, by count: Int) -> String {
    let indent = String(repeating: " ", count: count)
    return text.split(separator: "\n").map { indent + $0 }.joined(separator: "\n")
  }
}

// MARK: - The contract

extension Rule {
  private static let ok = #"responses: {"200": {description: OK}}"#

  /// Ten paths below a name.
  private static func list(_ name: String) -> String {
    (0..<10).map { "/\(name)/\($0): {get: {\(ok)}}" }.joined(separator: ", ")
  }

  private static func version(_ version: String) -> String {
    "openapi: 3.1.0\ninfo: {title: Pets, version: \"\(version)\"}\npaths: {}"
  }

  package static let contractRemoved = Rule(
    "diff.contract.removed", .error, owner: .contract, "A contract of a folder was removed",
    help: "All its operations are gone. A file that was renamed counts as removed and added.")
  package static let contractAdded = Rule(
    "diff.contract.added", .info, owner: .contract, "A contract was added to a folder", help: help(of: .info))
  package static let contractUnrelated = diff(
    "contract.unrelated", .error, "Two contracts have hardly an operation in common",
    help: """
      Nothing else is compared. Check that both files are versions of one API; `--strip-prefix` compares paths below two \
      prefixes.
      """, old: "paths: {\(list("pets"))}", new: "paths: {\(list("shops"))}",
    quiet: ("paths: {\(list("pets"))}", "paths: {\(list("pets")), \(list("shops"))}"), text: contract)
  package static let versionDecreased = diff(
    "version.decreased", .info, "`info.version` is lower than before",
    help: "Check that OLD and NEW are not exchanged.",
    old: version("1.2.0"), new: version("1.1.0"), quiet: (version("1.9.0"), version("1.10.0")), text: { $0 })
  package static let operationRemoved = diff(
    "operation.removed", .error, "An operation was removed without having been deprecated",
    help: """
      A path whose variable has another name is the same path. Deprecate the operation first, with the day of its removal \
      in `x-sunset`.
      """, old: "get: {\(ok)}\npost: {\(ok)}", new: "get: {\(ok)}")
  package static let operationRemovedBeforeSunset = diff(
    "operation.removed-before-sunset", .error, "A deprecated operation was removed before its sunset date",
    help: "The day in `x-sunset` is in the future.",
    old: "get: {\(ok)}\npost: {deprecated: true, x-sunset: \"2999-01-01\", \(ok)}", new: "get: {\(ok)}")
  package static let operationRemovedDeprecated = diff(
    "operation.removed-deprecated", .info, "A deprecated operation was removed",
    help: "It had no sunset date, or the date has passed.",
    old: "get: {\(ok)}\npost: {deprecated: true, x-sunset: \"2020-01-01\", \(ok)}", new: "get: {\(ok)}")
  package static let operationRemovedUnstable = diff(
    "operation.removed-unstable", .info, "An operation of the level `draft` or `alpha` was removed",
    help: "`x-stability-level` says that it may change. All findings about such an operation are notes.",
    old: "get: {\(ok)}\npost: {x-stability-level: alpha, \(ok)}", new: "get: {\(ok)}")
  package static let operationAdded = diff(
    "operation.added", .info, "An operation was added", old: "get: {\(ok)}", new: "get: {\(ok)}\npost: {\(ok)}")
  package static let operationID = diff(
    "operation.id", .info, "The `operationId` changed",
    help: "The wire is the same; generated clients have another name. A warning if a link names it.",
    old: "get: {operationId: list, \(ok)}",
    new: "get: {operationId: listPets, \(ok)}",
    quiet: ("get: {operationId: list, \(ok)}", "get: {operationId: list, summary: List, \(ok)}"))
  package static let operationDeprecated = diff(
    "operation.deprecated", .info, "An operation is now deprecated", old: "get: {\(ok)}",
    new: "get: {deprecated: true, \(ok)}")
  package static let operationReactivated = diff(
    "operation.reactivated", .info, "An operation is no longer deprecated", old: "get: {deprecated: true, \(ok)}",
    new: "get: {\(ok)}")
  package static let operationTags = diff(
    "operation.tags", .info, "The tags of an operation changed",
    help: "The wire is the same; generated clients may group their operations by tags.",
    old: "get: {tags: [pets], \(ok)}", new: "get: {tags: [animals], \(ok)}",
    quiet: ("get: {tags: [pets, animals], \(ok)}", "get: {tags: [animals, pets], \(ok)}"))
  package static let sunsetInvalid = diff(
    "sunset.invalid", .error, "`x-sunset` is not a date", old: "get: {deprecated: true, \(ok)}",
    new: "get: {deprecated: true, x-sunset: soon, \(ok)}")
  package static let sunsetRemoved = diff(
    "sunset.removed", .error, "The sunset date of a deprecated operation was removed",
    old: "get: {deprecated: true, x-sunset: \"2999-01-01\", \(ok)}", new: "get: {deprecated: true, \(ok)}")
  package static let sunsetEarlier = diff(
    "sunset.earlier", .error, "The sunset date of an operation is earlier than before",
    old: "get: {deprecated: true, x-sunset: \"2999-02-01\", \(ok)}",
    new: "get: {deprecated: true, x-sunset: \"2999-01-01\", \(ok)}")
  package static let sunsetTooSoon = diff(
    "sunset.too-soon", .error, "The sunset date of an operation leaves too little notice",
    help: """
      `--notice 180` requires so many days between the announcement and the removal, `--notice beta=30` of operations of this \
      stability level. Without it, the date must not have passed.
      """, old: "get: {\(ok)}", new: "get: {deprecated: true, x-sunset: \"2020-01-01\", \(ok)}",
    quiet: ("get: {\(ok)}", "get: {deprecated: true, x-sunset: \"2999-01-01\", \(ok)}"))
  package static let sunsetMissing = diff(
    "sunset.missing", .error, "A deprecated operation has no sunset date",
    help: "`--notice` requires one for operations of its stability level.",
    old: "get: {x-stability-level: beta, \(ok)}", new: "get: {x-stability-level: beta, deprecated: true, \(ok)}",
    quiet: (
      "get: {x-stability-level: beta, \(ok)}",
      "get: {x-stability-level: beta, deprecated: true, x-sunset: \"2999-01-01\", \(ok)}"
    ))
  package static let stabilityIncreased = diff(
    "stability.increased", .info, "`x-stability-level` is higher than before",
    old: "get: {x-stability-level: beta, \(ok)}", new: "get: {x-stability-level: stable, \(ok)}")
  package static let stabilityDecreased = diff(
    "stability.decreased", .error, "`x-stability-level` is lower than before",
    help: "The order is `draft`, `alpha`, `beta`, `stable`.", old: "get: {x-stability-level: stable, \(ok)}",
    new: "get: {x-stability-level: beta, \(ok)}")
  package static let serverRemoved = diff(
    "server.removed", .warning, "No base path of the servers is left",
    help:
      "Hosts differ between environments, and are not compared. `--strip-prefix` compares paths below two prefixes.",
    old: "servers: [{url: \"https://example.com/v1\"}]\npaths: {}",
    new: "servers: [{url: \"https://example.com/v2\"}]\npaths: {}",
    quiet: (
      "servers: [{url: \"https://example.com/v1\"}]\npaths: {}",
      "servers: [{url: \"https://example.org/v1\"}]\npaths: {}"
    ), text: contract)

  static let diffContract: [Rule] = [
    contractRemoved, contractAdded, contractUnrelated, versionDecreased, operationRemoved, operationRemovedBeforeSunset,
    operationRemovedDeprecated, operationRemovedUnstable, operationAdded, operationID, operationTags,
    operationDeprecated, operationReactivated, sunsetInvalid, sunsetRemoved, sunsetEarlier, sunsetTooSoon,
    sunsetMissing, stabilityDecreased, stabilityIncreased, serverRemoved,
  ]
}
