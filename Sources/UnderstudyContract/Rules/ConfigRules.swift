extension Rule {
  /// The rules about the configuration file, the command line and `x-understudy`.
  package static let config: [Rule] = [
    configUnreadable, configUnknownKey, configInvalid, configContractName, configRouteClash, specUnderstudyExtension,
    dataInvalid,
  ]

  package static let specUnderstudyExtension = Rule(
    "spec.x-understudy", .error, owner: .contract, "`x-understudy` has an unknown key or value",
    help: """
      At the root or in an operation it maps violations of a request to a status of the contract, or to `ignore`: \
      `unknown-path`, `unknown-method`, `unauthorized`, `unknown-user`, `unsupported-media-type`, `invalid-request`, `not-acceptable`. At the root `stateful: true` \
      makes mocks remember, and `formats` is `assert` or `annotate`.
      """)

  package static let dataInvalid = Rule(
    "data.invalid", .error, owner: .contract, "A part of a data file is not served",
    help: """
      A data file has lists of objects, each with an `id` that no other item of its list has, and objects. What cannot be \
      served is left out; items without an id get one.
      """)

  package static let configUnreadable = Rule(
    "config.unreadable", .error, owner: .fixture, "A file cannot be read",
    help: "The path does not exist, is a folder, or is not readable. Paths are relative to the working directory.")

  package static let configUnknownKey = Rule(
    "config.unknown-key", .error, owner: .fixture, "`understudy.yaml` has an unknown key",
    help:
      "Every unknown key is an error, since a misspelt key would have no effect. The message suggests the nearest known key."
  )

  package static let configInvalid = Rule(
    "config.invalid", .error, owner: .fixture, "A setting has an invalid value",
    help: "The message lists the valid values.")

  package static let configContractName = Rule(
    "config.contract-name", .error, owner: .fixture, "Two contracts that are served together have the same name",
    help: "The name of a contract, by default that of its file, names its folder of fixtures. Give one a `name`.")

  package static let configRouteClash = Rule(
    "config.route-clash", .warning, owner: .fixture, "Two contracts that are served together have a route in common",
    help: """
      The first contract on the command line responds; the operation of the other is unreachable. Only the first such route \
      of two contracts is reported.
      """)
}
