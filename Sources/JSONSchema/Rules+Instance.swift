extension Rule {
  /// Rules about a value that is validated by a schema on its own, outside any exchange.
  package static let instance: [Rule] = [
    instanceSchema, instanceUnparsable, instanceNotValidated, instanceDuplicateKey, instanceBareText,
    instanceAnnotations,
  ]

  package static let instanceSchema = Rule(
    "instance.schema", .error, owner: .fixture, "A value breaks its schema",
    help: "The message says what was expected and what was found; the note leads to the keyword that says so.")

  package static let instanceUnparsable = Rule(
    "instance.unparsable", .error, owner: .fixture, "A value cannot be read",
    help: """
      A `.json` file must be JSON (RFC 8259), each line of a `.jsonl` or `.ndjson` file as well. Anything else may be JSON or YAML.
      """)

  package static let instanceNotValidated = Rule(
    "instance.not-validated", .error, owner: .contract, "A value cannot be validated",
    help: """
      A part of the schema that matters here is broken: a reference that leads nowhere, an unknown dialect, a circle of references. \
      Or the value is deeper or larger than what is read here, or validating would cost too much, with nothing wrong in the schema. Unless \
      something else in the value is wrong for certain, it counts as neither right nor wrong, and the run does not come out clean.
      """)

  package static let instanceDuplicateKey = Rule(
    "instance.duplicate-key", .warning, owner: .fixture, "A value holds the same key twice in one object",
    help: "RFC 8259, section 4, leaves open which of the two counts. Here the last one does.")

  package static let instanceAnnotations = Rule(
    "instance.annotations", .warning, owner: .contract, "Not all annotations of a value are listed",
    help: """
      The value fits, but what the schema says about it is not known to the end: a part of the schema that did not matter to the verdict is \
      broken, or there is more to say than anybody would read.
      """)

  package static let instanceBareText = Rule(
    "instance.bare-text", .warning, owner: .fixture, "A text that is not JSON was read as YAML",
    help: """
      What calls itself neither JSON nor YAML is read as JSON first, then as YAML. Nearly every text is YAML: without quotes it is \
      a string, an error page of a server too. A file named `.json` is only read as JSON, one named `.yaml` only as YAML.
      """)
}
