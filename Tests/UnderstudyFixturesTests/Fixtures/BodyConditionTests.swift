import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Conditions on cookies and bodies, by the reply that they choose.
struct BodyConditionTests {
  private func answers(_ when: String, _ headers: [String: String] = [:], body: String = "") throws -> Bool {
    try ContractFixture(MockContract.notes, fixtures: ["writeNote/409.yaml": "when: \(when)\n"]).withMock { mock in
      #expect(mock.complaints == [])
      return mock.send(.post, "/notes/1", headers, body: body).reason == "fixture writeNote/409 (when)"
    }
  }

  @Test(arguments: [
    ("{cookie: {session: abc}}", true), ("{cookie: {session: ab}}", false),
    ("{cookie: {theme: {matches: \"^d\"}}}", true),
    ("{cookie: {other: null}}", true), ("{cookie: {theme: null}}", false),
  ])
  func `a cookie has a value`(when: String, isMet: Bool) throws {
    #expect(try answers(when, ["Cookie": "theme=dark; session=abc"]) == isMet)
  }

  private static let order = """
    {"id": 7, "user": {"nick": "Tom", "$ref": "x"}, "items": [{"id": 1, "kind": "a"}, {"id": 2, "kind": "b"}], "tags": ["x", "y"]}
    """

  @Test(arguments: [
    ("$.user.nick: Tom", true), ("\"$['user']['nick']\": Tim", false), ("\"$.items[*].id\": 2", true),
    ("\"$.items[*].id\": 3", false),
    ("\"$..kind\": {equals: [a, b]}", true), ("\"$.items[?@.kind == 'b'].id\": 2", true),
    ("\"$.items[2]\": null", true),
    ("\"$.items[-1].kind\": {oneOf: [b, c]}", true), ("\"$.tags\": y", true),
    ("\"$.items[?@.id > 5]\": {present: true}", false),
    // Names that begin with a dollar sign are names.
    ("$ref: x", false), ("/user/$ref: x", true),
  ])
  func `a JSONPath selects values beside names and pointers`(field: String, isMet: Bool) throws {
    #expect(try answers("{body: {\(field)}}", ["Content-Type": "application/json"], body: Self.order) == isMet)
  }

  @Test(arguments: [
    (
      #"$: {equalsJson: {id: 7, user: {nick: Tom, $ref: x}, tags: [x, y], items: [{kind: a, id: 1}, {kind: b, id: 2.0}]}}"#,
      true
    ),
    (
      #"$: {equalsJson: {id: 7, user: {nick: Tom}, tags: [x, y], items: [{kind: a}, {kind: b}]}, ignore: [$..id, "$.user['$ref']"]}"#,
      true
    ),
    ("$: {equalsJson: {id: 7}}", false), ("$: {containsJson: {id: 7, user: {nick: Tom}}}", true),
    ("$.tags: {equalsJson: [y, x]}", false), ("$.tags: {equalsJson: [y, x], ignoreOrder: true}", true),
    ("$.items: {containsJson: [{kind: b}]}", true), ("$.items: {containsJson: [{kind: b}, {kind: a}]}", false),
    ("$.items: {containsJson: [{kind: b}, {kind: a}], ignoreOrder: true}", true), ("tags: {equalsJson: [x, y]}", true),
    ("/user: {containsJson: {nick: Tim}}", false), ("\"$.items[*]\": {equalsJson: {id: 2, kind: b}}", true),
    ("$.id: {equalsJson: 7}", true), ("$.id: {equalsJson: \"7\"}", false),
  ])
  func `a value is equal to JSON, or contains it`(field: String, isMet: Bool) throws {
    #expect(try answers("{body: {\(field)}}", ["Content-Type": "application/json"], body: Self.order) == isMet)
  }

  @Test(arguments: [
    ("$: hello you", true), ("$: hello", false), ("$: {contains: lo y}", true), ("$: {matches: '^h.*u$'}", true),
    ("$: null", false), ("$: {present: true}", true),
  ])
  func `the dollar sign is the whole text of a body without structure`(field: String, isMet: Bool) throws {
    #expect(try answers("{body: {\(field)}}", ["Content-Type": "text/plain"], body: "hello you") == isMet)
  }

  @Test(arguments: [("$: {contains: 'kind\": \"a'}", true), ("$: {contains: nothing}", false)])
  func `the dollar sign is the whole text of a JSON body as well`(field: String, isMet: Bool) throws {
    #expect(try answers("{body: {\(field)}}", ["Content-Type": "application/json"], body: Self.order) == isMet)
  }

  @Test(arguments: [
    ("$: {schema: {type: object, required: [id, user]}}", true), ("$: {schema: {required: [name]}}", false),
    ("$.user: {schema: {properties: {nick: {maxLength: 3}}}}", true), ("id: {schema: {minimum: 8}}", false),
    ("$: {schema: {$defs: {n: {type: integer}}, properties: {id: {$ref: \"#/$defs/n\"}}}}", true),
    ("\"$.items[*]\": {schema: {properties: {id: {const: 2}}}}", true),
  ])
  func `a value keeps a JSON Schema`(field: String, isMet: Bool) throws {
    #expect(try answers("{body: {\(field)}}", ["Content-Type": "application/json"], body: Self.order) == isMet)
  }

  @Test(arguments: [
    ("any: [{body: {id: 8}}, {body: {id: 7}}]", true), ("any: [{body: {id: 8}}, {body: {id: 9}}]", false),
    ("not: {body: {id: 7}}", false), ("not: [{body: {id: 8}}, {cookie: {a: 1}}]", true),
    ("all: [{body: {id: 7}}, {not: {query: {q: 1}}}]", true),
    (
      "body: {id: 7}, any: [{query: {q: 1}}, {all: [{body: {/user/nick: Tom}}, {not: {any: [{query: {q: 2}}]}}]}]", true
    ),
    ("body: {id: 8}, any: [{body: {id: 7}}]", false),
  ])
  func `conditions are combined by all, any and not`(when: String, isMet: Bool) throws {
    #expect(try answers("{\(when)}", ["Content-Type": "application/json"], body: Self.order) == isMet)
  }

  private static let upload = [
    "--b", "Content-Disposition: form-data; name=\"title\"", "", "My cat", "--b",
    "Content-Disposition: form-data; name=\"photo\"; filename=\"cat.png\"", "Content-Type: image/png", "",
    "\u{89}PNG data", "--b--", "",
  ].joined(separator: "\r\n")

  @Test(arguments: [
    ("body: {title: My cat}", true), ("body: {title: cat}", false), ("file: {photo: cat.png}", true),
    ("file: {photo: {matches: '\\.(png|jpg)$'}, title: null}", true), ("fileType: {photo: image/png}", true),
    ("fileType: {photo: image/jpeg}", false), ("body: {photo: {contains: PNG}}", true),
    ("file: {other: {present: false}}", true),
    ("file: {title: {present: true}}", false),
  ])
  func `a multipart body has fields and files`(when: String, isMet: Bool) throws {
    #expect(try answers("{\(when)}", ["Content-Type": "multipart/form-data; boundary=b"], body: Self.upload) == isMet)
  }

  private static let xml = """
    <?xml version="1.0"?>
    <o:order xmlns:o="urn:o" id="7"><name> Ada </name><item sku="X1">one<b>!</b></item><item sku="X2">two</item></o:order>
    """

  @Test(arguments: [
    ("/order/name: Ada", true), ("name: Ada", true), ("\"@id\": 7", true), ("/order/@id: 8", false),
    ("/o:order/o:item: two", true),
    ("/order/item: {equals: [one, two]}", true), ("\"/order/item[2]/@sku\": X2", true),
    ("\"/order/item[3]\": null", true),
    ("//item/@sku: {equals: [X1, X2]}", true), ("//b: \"!\"", true), ("//item/text(): one", true),
    ("/name: {present: true}", false),
    ("\"/order/*/@sku\": X1", true), ("//order/@id: 7", true),
  ])
  func `an XML body has elements, attributes and text`(field: String, isMet: Bool) throws {
    #expect(try answers("{body: {\(field)}}", ["Content-Type": "application/xml"], body: Self.xml) == isMet)
  }

  @Test func `XML with entities, and XML that nests too deep, matches no condition`() throws {
    let entities = (1...9).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
    let bombs = [
      "<!DOCTYPE a [<!ENTITY e0 \"ha\">\(entities)]><a>&e9;</a>", "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a>x</a>",
      String(repeating: "<a>", count: 100_000),
    ]
    for bomb in bombs {
      #expect(try !answers("{body: {/a: {present: true}}}", ["Content-Type": "application/xml"], body: bomb))
    }
  }

  @Test func `a costly path ends at its limit and does not match`() throws {
    let body = "[" + Array(repeating: "[1,2,3,4,5,6,7,8]", count: 300).joined(separator: ",") + "]"
    let path = "$" + String(repeating: "[?$..*", count: 5) + String(repeating: "]", count: 5)
    #expect(try !answers("{body: {\"\(path)\": {present: true}}}", ["Content-Type": "application/json"], body: body))
  }
}
