import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct TypeCoercionTests {
  /// `items` of Swagger 2.0 have a delimiter of their own, so that lists nest.
  private static let lists: JSON = [
    "type": "array",
    "items": ["type": "array", "collectionFormat": "pipes", "items": ["type": "integer"]],
  ]

  @Test(arguments: [
    ("x|1,2", ", item 1, item 1"), ("1|x,2", ", item 1, item 2"), ("1|2,x", ", item 2, item 1"),
    ("1|2,3|4,5|6|x", ", item 3, item 3"),
  ])
  func `a message names the item of every list around a value`(text: String, place: String) {
    let parameter = Parameter("c", in: .query, explode: false, schema: Self.lists)
    let decoder = ParameterDecoder(parameter, specification: .swagger2, schemas: .of(.swagger2))
    let decoded = decoder.decode(ParameterInput(target: "/?c=\(text)"))
    #expect(
      decoded.problems.map(\.sentence) == ["the query parameter `c`\(place) must be an integer, found `x`"])
  }
}
