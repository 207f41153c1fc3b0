import UnderstudySchema

func validateValues() throws {
  let schema = try CompiledSchema(
    #"{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}"#)
  print(schema.accepts(["name": "Rex"]))  // true
  for failure in schema.failures(try JSON(parsing: #"{"name": 1}"#)) {
    print(failure.pointer, failure.message)  // /name expected string, found number 1
  }

  let short = try CompiledSchema(#"{"minLength": 2}"#)
  precondition(short.problems.isEmpty)
  for failure in short.failures("R") { print(failure.keyword, failure.message) }
  print(schema.sample()?.description ?? "no sample")
}
