import UnderstudySchema

struct Pet: Decodable {
  var name: String
  var ages: [Double]
}

func readValues() throws {
  let json = try JSON(parsing: #"{"name": "Rex", "ages": [3, 4.5], "isTame": true}"#)
  print(json["name"]?.string ?? "", json["ages"]?[0]?.int ?? 0, json["ages"]?[1]?.double ?? 0)
  print(json["isTame"]?.bool ?? false, json["ages"]?.array?.count ?? 0)
  let pet: Pet = try json.decoded()
  print(pet.name, pet.ages)
}

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
