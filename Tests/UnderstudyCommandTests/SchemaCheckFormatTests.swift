import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The output formats of `understudy schema check`.
struct SchemaCheckFormatTests {
  @Test func `json gives a finding a line`() throws {
    let result = try SchemaCheck.run(
      "user.yaml", "a.json", "--format", "json", files: ["a.json": #"{"id": 1, "nick": "a"}"#])
    #expect(
      result.output == """
        {"rule":"instance.schema","severity":"error","owner":"fixture","message":"expected at least 2 characters, found 1 in \\"a\\"",\
        "location":{"file":"a.json","line":1,"column":19,"endLine":1,"endColumn":22,"pointer":"/nick"},\
        "notes":[{"message":"by `minLength` of the schema","location":{"file":"user.yaml","line":6,"column":35,"endLine":6,\
        "endColumn":36,"pointer":"/properties/nick/minLength"}}],"keyword":"minLength"}

        """)
    #expect(result.code == 1)
  }

  @Test func `basic and detailed give a standard document a value`() throws {
    let files = [
      "a.jsonl": "{\"id\": 1, \"nick\": \"ada\"}\n{\"id\": 1}\n",
      "user.json": #"{"$id": "urn:user", "required": ["nick"]}"#,
    ]
    for format in ["basic", "detailed"] {
      let result = try SchemaCheck.run("user.json", "a.jsonl", "--format", format, files: files)
      #expect(
        result.output == """
          {"valid":true,"keywordLocation":"","absoluteKeywordLocation":"urn:user#","instanceLocation":""}
          {"valid":false,"keywordLocation":"","absoluteKeywordLocation":"urn:user#","instanceLocation":"","errors":[\
          {"valid":false,"keywordLocation":"/required","absoluteKeywordLocation":"urn:user#/required","instanceLocation":"",\
          "error":"the property `nick` is missing"}]}

          """)
      #expect(result.error == "checked: 2, invalid: 1, not validated: 0\n")
      #expect(result.code == 1)
    }
  }

  private static let annotated = [
    "pet.json": #"{"$id": "urn:pet", "title": "Pet", "properties": {"name": {"description": "Its name"}}}"#,
    "tom.json": #"{"name": "Tom"}"#,
  ]

  @Test func `basic lists the annotations of a valid value`() throws {
    let result = try SchemaCheck.run("pet.json", "tom.json", "--format", "basic", files: Self.annotated)
    #expect(
      result.output == """
        {"valid":true,"keywordLocation":"","absoluteKeywordLocation":"urn:pet#","instanceLocation":"","annotations":[\
        {"valid":true,"keywordLocation":"/title","absoluteKeywordLocation":"urn:pet#/title","instanceLocation":"",\
        "annotation":"Pet"},\
        {"valid":true,"keywordLocation":"/properties","absoluteKeywordLocation":"urn:pet#/properties","instanceLocation":"",\
        "annotation":["name"]},\
        {"valid":true,"keywordLocation":"/properties/name/description",\
        "absoluteKeywordLocation":"urn:pet#/properties/name/description","instanceLocation":"/name",\
        "annotation":"Its name"}]}

        """)
    #expect(result.error == "checked: 1, invalid: 0, not validated: 0\n")
    #expect(result.code == 0)
  }

  @Test func `detailed nests the annotations`() throws {
    let result = try SchemaCheck.run("pet.json", "tom.json", "--format", "detailed", files: Self.annotated)
    #expect(
      result.output == """
        {"valid":true,"keywordLocation":"","absoluteKeywordLocation":"urn:pet#","instanceLocation":"","annotations":[\
        {"valid":true,"keywordLocation":"/title","absoluteKeywordLocation":"urn:pet#/title","instanceLocation":"",\
        "annotation":"Pet"},\
        {"valid":true,"keywordLocation":"/properties","absoluteKeywordLocation":"urn:pet#/properties","instanceLocation":"",\
        "annotation":["name"],"annotations":[\
        {"valid":true,"keywordLocation":"/properties/name/description",\
        "absoluteKeywordLocation":"urn:pet#/properties/name/description","instanceLocation":"/name",\
        "annotation":"Its name"}]}]}

        """)
    #expect(result.code == 0)
  }

  @Test func `annotations beyond the limit are a warning, not a verdict`() throws {
    let schema = ##"{"anyOf": [{"title": "a"}, {"not": {"$ref": "gone.json"}}]}"##
    let result = try SchemaCheck.run("s.json", "v.json", "--format", "basic", files: ["s.json": schema, "v.json": "1"])
    #expect(result.output.hasPrefix(#"{"valid":true,"#))
    #expect(
      result.error.contains(
        "v.json:1:1: warning: not all annotations are listed: the reference `gone.json` leads nowhere [instance.annotations]\n"
      ))
    #expect(result.error.hasSuffix("checked: 1, invalid: 0, not validated: 0\n"))
  }

  @Test func `a value that cannot be read has a document too`() throws {
    let result = try SchemaCheck.run(
      "user.json", "-", "--jsonl", "--format", "basic", files: ["user.json": "true"], input: "1\n{\n")
    let documents = try result.output.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)).root }
    #expect(documents.map { $0["valid"]?.bool } == [true, false])
    #expect(documents.last?["error"]?.string?.isEmpty == false)
    #expect(result.error.contains("<stdin>:2:2: error: "))
    #expect(result.error.hasSuffix("checked: 2, invalid: 1, not validated: 0\n"))
  }
}
