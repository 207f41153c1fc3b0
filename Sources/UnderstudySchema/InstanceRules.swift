extension Rule {
  /// Rules about the validation of a single value by a schema.
  package static let instance: [Rule] = [
    instanceSchema, instanceUnparsable, instanceNotValidated, instanceDuplicateKey, instanceBareText,
    instanceAnnotations,
  ]

  package static let instanceSchema = Rule(
    "instance.schema", .error, owner: .fixture, "A value breaks its schema",
    help: "The message states the expected and the found value; the note points to the broken keyword.")

  package static let instanceUnparsable = Rule(
    "instance.unparsable", .error, owner: .fixture, "A value cannot be parsed",
    help: """
      A `.json` file must be JSON (RFC 8259), and so must each line of a `.jsonl` or `.ndjson` file. All other files \
      may be JSON or YAML.
      """)

  package static let instanceNotValidated = Rule(
    "instance.not-validated", .error, owner: .contract, "A value cannot be validated",
    help: """
      The value needs a part of the schema that is broken: a reference that leads nowhere, an unknown dialect, or a \
      schema that refers to itself. Or the value exceeds a limit of depth, size or cost. Unless another failure is \
      certain, the value counts as neither valid nor invalid, and the run fails.
      """)

  package static let instanceDuplicateKey = Rule(
    "instance.duplicate-key", .warning, owner: .fixture, "An object in a value has a duplicate key",
    help: "RFC 8259, section 4, does not define which of the two counts. Here the last one does.")

  package static let instanceAnnotations = Rule(
    "instance.annotations", .warning, owner: .contract, "The list of a value's annotations is incomplete",
    help: """
      The value is valid, but not all its annotations are known: a part of the schema that does not affect the result \
      is broken, or the list would be too long.
      """)

  package static let instanceBareText = Rule(
    "instance.bare-text", .warning, owner: .fixture, "A text that is not JSON was read as YAML",
    help: """
      A text of unknown format is read as JSON, and if that fails as YAML. Nearly every text is valid YAML: without \
      quotes it is a string, even the error page of a server. A file named `.json` is only read as JSON, and one named \
      `.yaml` only as YAML.
      """)
}
