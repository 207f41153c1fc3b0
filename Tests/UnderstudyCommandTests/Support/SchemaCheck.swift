import UnderstudyTestSupport

/// `understudy schema check` among some files.
enum SchemaCheck {
  /// The schema in `user.yaml`, which is always there.
  static let schema = """
    type: object
    required: [id, nick]
    additionalProperties: false
    properties:
      id: {type: integer, minimum: 1}
      nick: {type: string, minLength: 2}

    """

  static func run(
    _ arguments: String..., files: [String: String] = [:], input: String = ""
  ) throws -> Command.Result {
    try withTemporaryFolder { folder in
      try write(["user.yaml": schema].merging(files) { $1 }, in: folder)
      return try Command.run(Command.path, ["schema", "check"] + arguments, in: folder, input: input)
    }
  }
}
