extension Rule {
  /// What can be wrong with a config file, a command line or our extension of a contract.
  package static let config: [Rule] = [
    configUnreadable, configUnknownKey, configInvalid, configContractName, configRouteClash, specUnderstudyExtension,
  ]

  package static let specUnderstudyExtension = Rule(
    "spec.x-understudy", .error, owner: .contract, "`x-understudy` holds a key or value that means nothing",
    help: """
      At the root or in an operation it maps what is wrong with a request to the contract's own status, or to `ignore`: \
      `unknown-path`, `unknown-method`, `unauthorized`, `unknown-user`, `unsupported-media-type`, `invalid-request`, `not-acceptable`.
      """)

  package static let configUnreadable = Rule(
    "config.unreadable", .error, owner: .fixture, "A file that was named cannot be read",
    help: "The path does not exist, is a folder, or may not be read. Paths count from the working directory.")

  package static let configUnknownKey = Rule(
    "config.unknown-key", .error, owner: .fixture, "`understudy.yaml` holds a key that means nothing",
    help: "A misspelt key would be ignored in silence; so every unknown key is an error, with the nearest known one.")

  package static let configInvalid = Rule(
    "config.invalid", .error, owner: .fixture, "A setting has a value that it cannot have",
    help: "The message says which values are known.")

  package static let configContractName = Rule(
    "config.contract-name", .error, owner: .fixture, "Two contracts that are served together have one name",
    help: "A contract is called as its file, without the extension, and so is its folder of fixtures. Rename one.")

  package static let configRouteClash = Rule(
    "config.route-clash", .warning, owner: .fixture, "Two contracts that are served together have a route in common",
    help: """
      The contract that was named first answers; the other's operation is never reached. Only the first such route of \
      two contracts is told.
      """)
}
