import Testing
import UnderstudySchema

struct DialectTests {
  @Test(arguments: [
    ("draft4", Dialect.draft4), ("4", .draft4), ("draft-04", .draft4), ("draft7", .draft7), ("7", .draft7),
    ("2019-09", .draft2019), ("draft2019-09", .draft2019), ("2019", .draft2019), ("2020", .draft2020),
    ("2020-12", .draft2020), ("https://json-schema.org/draft/2020-12/schema", .draft2020),
    ("http://json-schema.org/draft-06/schema#", .draft6), ("swagger2.0", .swagger2), ("openapi3.0", .openAPI30),
    ("openapi3.2", .openAPI31),
  ])
  func `a dialect has its common names`(name: String, dialect: Dialect) {
    #expect(Dialect(named: name) == dialect)
  }

  @Test(arguments: ["", "draft5", "2021", "draft", "openapi", "-09"])
  func `other names are unknown`(name: String) { #expect(Dialect(named: name) == nil) }

  @Test(arguments: Dialect.names) func `every listed name is a dialect`(name: String) {
    #expect(Dialect(named: name) != nil)
  }
}
