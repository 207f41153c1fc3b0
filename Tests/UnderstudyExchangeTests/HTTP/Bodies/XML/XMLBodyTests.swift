import Testing
import UnderstudyMock
import UnderstudySchema
import UnderstudyTestSupport

/// The rules of the XML Object (OAS 3.1, 4.8.26; 3.2, 4.26), each both ways.
struct XMLBodyTests {
  static let components = """
    {"components": {"schemas": {
      "Pet": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}},
      "Named": {"type": "object", "xml": {"name": "pet"}, "properties": {"id": {"type": "integer"}}},
      "Node": {"type": "object", "xml": {"nodeType": "none"}, "properties": {"a": {}, "child": {"$ref": "#/components/schemas/Node"}}},
      "Twins": {"type": "object", "xml": {"nodeType": "none"}, "properties": {"a": {},
        "left": {"$ref": "#/components/schemas/Twins"}, "right": {"$ref": "#/components/schemas/Twins"}}}
    }}}
    """

  static func text(_ xml: String, _ schema: String, charset: String? = nil) throws -> String {
    FormBodyTests.text(XMLBody(try parse(schema)).decode(Array(xml.utf8), charset: charset))
  }

  static func parse(_ schema: String) throws -> ResolvedSchema {
    let text = components.dropLast() + ", \"schema\": \(schema)}"
    return SchemaLibrary.of(.openAPI31).resolved(try #require(JSONParser.parse(Array(text.utf8)).root["schema"]))
  }

  /// Schema, document, value; each is read, and written back.
  static let pairs = [
    // Without an `xml` object.
    (##"{"$ref": "#/components/schemas/Pet"}"##, "<Pet><id>1</id><name>a</name></Pet>", #"{"id":1,"name":"a"}"#),
    (
      #"{"properties": {"animals": {"type": "array", "items": {"type": "string"}}}}"#,
      "<root><animals>a</animals><animals>b</animals></root>", #"{"animals":["a","b"]}"#
    ),
    // name, attribute, namespace, prefix
    (##"{"$ref": "#/components/schemas/Named"}"##, "<pet><id>1</id></pet>", #"{"id":1}"#),
    (
      #"{"xml": {"name": "r"}, "properties": {"id": {"type": "integer", "xml": {"attribute": true}}, "n": {"type": "string", "xml": {"name": "xml-n"}}}}"#,
      #"<r id="1"><xml-n>a</xml-n></r>"#, #"{"id":1,"n":"a"}"#
    ),
    (
      #"{"xml": {"name": "r"}, "properties": {"n": {"type": "string", "xml": {"namespace": "urn:s", "prefix": "s"}}}}"#,
      #"<r><s:n xmlns:s="urn:s">a</s:n></r>"#, #"{"n":"a"}"#
    ),
    (
      #"{"xml": {"name": "r", "namespace": "urn:r"}, "properties": {"n": {"type": "string"}}}"#,
      #"<r xmlns="urn:r"><n>a</n></r>"#, #"{"n":"a"}"#
    ),
    (
      ##"{"xml": {"name": "r"}, "properties": {"category": {"$ref": "#/components/schemas/Named"}}}"##,
      "<r><pet><id>1</id></pet></r>", #"{"category":{"id":1}}"#
    ),
    // Arrays: the items' name, wrapping, both names
    (
      #"{"properties": {"animals": {"type": "array", "items": {"type": "string", "xml": {"name": "animal"}}}}}"#,
      "<root><animal>a</animal><animal>b</animal></root>", #"{"animals":["a","b"]}"#
    ),
    (
      #"{"properties": {"animals": {"type": "array", "xml": {"name": "aliens"}, "items": {"type": "string", "xml": {"name": "animal"}}}}}"#,
      "<root><animal>a</animal></root>", #"{"animals":["a"]}"#
    ),
    (
      #"{"properties": {"animals": {"type": "array", "xml": {"wrapped": true}, "items": {"type": "string"}}}}"#,
      "<root><animals><animals>a</animals><animals>b</animals></animals></root>", #"{"animals":["a","b"]}"#
    ),
    (
      #"{"properties": {"animals": {"type": "array", "xml": {"name": "aliens", "wrapped": true}, "items": {"type": "string", "xml": {"name": "animal"}}}}}"#,
      "<root><aliens><animal>a</animal></aliens></root>", #"{"animals":["a"]}"#
    ),
    (
      #"{"properties": {"animals": {"type": "array", "xml": {"name": "aliens", "wrapped": true}, "items": {"type": "string"}}}}"#,
      "<root><aliens><aliens>a</aliens></aliens></root>", #"{"animals":["a"]}"#
    ),
    (
      #"{"properties": {"animals": {"type": "array", "xml": {"wrapped": true}, "items": {"type": "string"}}}}"#,
      "<root><animals/></root>", #"{"animals":[]}"#
    ),
    (
      ##"{"type": "array", "xml": {"name": "pets", "wrapped": true}, "items": {"$ref": "#/components/schemas/Named"}}"##,
      "<pets><pet><id>1</id></pet><pet><id>2</id></pet></pets>", #"[{"id":1},{"id":2}]"#
    ),
    // nodeType of 3.2
    (
      #"{"xml": {"name": "r"}, "properties": {"id": {"type": "integer", "xml": {"nodeType": "attribute"}}, "v": {"type": "string", "xml": {"nodeType": "text"}}}}"#,
      #"<r id="1">a b</r>"#, #"{"id":1,"v":"a b"}"#
    ),
    (
      #"{"xml": {"name": "r"}, "properties": {"v": {"type": "string", "xml": {"nodeType": "cdata"}}}}"#,
      "<r><![CDATA[a < b]]></r>", #"{"v":"a < b"}"#
    ),
    (
      #"{"xml": {"name": "r"}, "properties": {"l": {"type": "array", "xml": {"nodeType": "element"}, "items": {"type": "integer", "xml": {"name": "i"}}}}}"#,
      "<r><l><i>1</i><i>2</i></l></r>", #"{"l":[1,2]}"#
    ),
    (
      #"{"xml": {"name": "r"}, "properties": {"o": {"type": "object", "xml": {"nodeType": "none"}, "properties": {"a": {"type": "integer"}}}}}"#,
      "<r><a>1</a></r>", #"{"o":{"a":1}}"#
    ),
    (
      #"{"xml": {"name": "r"}, "properties": {"o": {"type": "object", "xml": {"nodeType": "none"}, "properties": {"a": {"type": "integer"}, "i": {"type": "integer", "xml": {"attribute": true}}}}, "b": {"type": "integer"}}}"#,
      #"<r i="3"><a>1</a><b>2</b></r>"#, #"{"o":{"a":1,"i":3},"b":2}"#
    ),
    (
      #"{"xml": {"name": "r"}, "properties": {"o": {"type": "object", "xml": {"nodeType": "none"}, "properties": {"a": {"type": "integer"}, "l": {"type": "array", "items": {"type": "integer"}}}, "required": ["l"]}, "b": {"type": "integer"}}}"#,
      "<r><b>2</b></r>", #"{"b":2}"#
    ),
    // Null, escapes
    (
      #"{"properties": {"n": {"type": ["integer", "null"]}}}"#,
      #"<root><n xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></root>"#, #"{"n":null}"#
    ),
    (
      #"{"type": "object", "properties": {"n": {"type": "string"}}}"#, "<root><n>&lt;&amp;&gt;\u{E9}</n></root>",
      "{\"n\":\"<&>\u{E9}\"}"
    ),
    (
      #"{"type": "object", "properties": {"b": {"type": "boolean"}, "n": {"type": "number"}}}"#,
      "<root><b>true</b><n>1.50</n></root>", #"{"b":true,"n":1.50}"#
    ),
    (
      #"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "<root><x>1</x><y>2</y></root>",
      #"{"x":1,"y":2}"#
    ),
  ]

  @Test(arguments: pairs)
  func `a document and its value are two forms of one thing`(schema: String, xml: String, value: String) throws {
    #expect(try Self.text(xml, schema) == value)
    let data = try JSONParser.parse(Array(value.utf8)).root
    let written = XMLText.write(data, schema: try Self.parse(schema)).map { String(decoding: $0, as: UTF8.self) }
    #expect(written == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml)
  }

  @Test(arguments: [
    // What the schema must find wrong is left to it: the value keeps it.
    (#"{"properties": {"id": {"type": "integer"}}}"#, "<r><id>x</id></r>", #"{"id":"x"}"#),
    (#"{"properties": {"id": {"type": "integer"}}}"#, "<r><id> 7 </id></r>", #"{"id":7}"#),
    (
      #"{"properties": {"id": {"type": "integer"}}}"#, "<r><id>1</id><id>2</id></r>",
      #"{"id":[1,2]} | {"id":["1","2"]}"#
    ),
    (
      #"{"properties": {"id": {"type": "integer"}}}"#, "<r other=\"1\"><x>a</x></r>",
      #"{"other":1,"x":"a"} | {"other":"1","x":"a"}"#
    ),
    (#"{"properties": {"n": {"type": "string", "xml": {"namespace": "urn:a"}}}}"#, "<r><n>a</n></r>", #"{"n":"a"}"#),
    (
      #"{"properties": {"l": {"type": "array", "items": {"type": "string"}}}, "required": ["l"]}"#, "<r/>", #"{"l":[]}"#
    ),
    (#"{"properties": {"l": {"type": "array", "items": {"type": "string"}}}}"#, "<r/>", "{}"),
    (
      #"{"type": "object"}"#, #"<r xml:lang="en" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="t"/>"#,
      "{}"
    ),
    (##"{"$ref": "#/components/schemas/Pet"}"##, "<pet/>", "the root element is `pet`; expected `Pet`"),
    (
      #"{"type": "object", "xml": {"name": "r", "namespace": "urn:r"}}"#, "<r xmlns=\"urn:x\"/>",
      "the root element is `r` in `urn:x`; expected `r` in the namespace `urn:r`"
    ),
    (#"{"type": "integer"}"#, "<n>7</n>", "7"),
    (#"{"type": "object", "properties": {"a": {"type": "string"}}}"#, "<r>no object</r>", #""no object""#),
    (
      #"{"required": ["o"], "properties": {"o": {"type": "object", "xml": {"nodeType": "none"}, "properties": {"a": {"type": "integer"}}}}}"#,
      "<r/>", #"{"o":{}}"#
    ),
    ("{}", "<a><b>1</b></a>", #"{"b":1} | {"b":"1"}"#),
  ])
  func `a document is read as far as its schema goes`(schema: String, xml: String, value: String) throws {
    #expect(try Self.text(xml, schema) == value)
  }

  @Test(arguments: [
    (#"{"type": "object"}"#, "<r>text<a/></r>", "the element `r` holds text beside its elements, which no rule maps"),
    (
      #"{"properties": {"l": {"type": "array", "prefixItems": [{}]}}}"#, "<r><l>1</l></r>",
      "`prefixItems` in XML are not mapped"
    ),
    ("{}", "<r a='1'><a>2</a></r>", "the element `r` holds `a` in two forms"),
    (
      ##"{"properties": {"n": {"$ref": "#/components/schemas/Node"}}}"##, "<r><a>1</a></r>",
      "too many objects of the contract share the element `r`"
    ),
    (
      ##"{"properties": {"n": {"$ref": "#/components/schemas/Twins"}}}"##, "<r/>",
      "too many objects of the contract share the element `r`"
    ),
    (
      #"{"properties": {"n": {"type": "object", "xml": {"nodeType": "none"}, "additionalProperties": {}}}}"#,
      "<r><a>1</a></r>", "`n` has no XML node, and neither do its properties"
    ),
    (#"{"type": "integer"}"#, "<r><a/></r>", "the element `r` holds elements where the contract has a single value"),
  ])
  func `XML that no rule maps is reported as not validated`(schema: String, xml: String, reason: String) throws {
    #expect(try Self.text(xml, schema) == "unvalidated: " + reason)
  }

  @Test(arguments: [
    ("", "no element found"), ("<a>", "no element found"), ("<a></b>", "mismatched tag"), ("{}", "not well-formed"),
    ("<a/><b/>", "junk after document element"), ("<x:a/>", "unbound prefix"),
    ("<a b='1' b='2'/>", "duplicate attribute"),
    ("<a>&x;</a>", "undefined entity"), ("<a>\u{1}</a>", "not well-formed"),
  ])
  func `invalid XML is reported with its position`(xml: String, reason: String) throws {
    let text = try Self.text(xml, "{}")
    #expect(text.hasPrefix("the body is not valid XML: \(reason)"), "\(text)")
    #expect(text.contains(", at line 1, column "))
  }

  @Test func `charsets are those of the Content-Type, then of the document`() throws {
    let latin = Array("<?xml version='1.0' encoding='iso-8859-1'?><n>".utf8) + [0xE9] + Array("</n>".utf8)
    let schema: JSON = ["type": "string"]
    func text(_ bytes: [UInt8], _ charset: String?) -> String {
      FormBodyTests.text(XMLBody(SchemaLibrary.of(.openAPI31).resolved(schema)).decode(bytes, charset: charset))
    }
    #expect(text(latin, nil) == "\"\u{E9}\"")
    #expect(text(Array("<n>".utf8) + [0xE9] + Array("</n>".utf8), "ISO-8859-1") == "\"\u{E9}\"")
    #expect(text(latin, "koi8-r") == "unvalidated: the encoding of the XML is not supported")
    #expect(text(latin, "utf-8").hasPrefix("the body is not valid XML"))
  }

  @Test func `nothing that a document could use against its reader is read`() throws {
    let laughs = "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;\">]><a>&y;</a>"
    let file = "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"
    for text in [laughs, file] {
      #expect(
        try Self.text(text, "{}")
          == "the XML is rejected: it has a document type declaration (`<!DOCTYPE`), which is not allowed")
    }
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(try Self.text(deep, "{}") == "the XML is rejected: its elements nest deeper than 200")
    let wide = "<a>" + String(repeating: "<b/>", count: 200_001) + "</a>"
    #expect(try Self.text(wide, "{}") == "the XML is rejected: it has more than 200000 elements and attributes")
  }

  @Test func `fifty thousand names beside twenty thousand attributes are members`() throws {
    let names = (0..<50_000).map { "<n\($0)/>" }.joined()
    let attributes = (0..<20_000).map { " a\($0)='1'" }.joined()
    let schema = "{\"properties\": {\((0..<200).map { "\"p\($0)\": {}" }.joined(separator: ","))}}"
    let decoded = XMLBody(try Self.parse(schema)).decode(Array("<r\(attributes)>\(names)</r>".utf8))
    #expect(decoded.readings.first?.count == 70_000)
  }

  @Test func `a text of two million lines is one text`() throws {
    let lines = String(repeating: "\n", count: 2_000_000)
    #expect(
      try Self.text("<n>\(lines)7<!-- a --> &#56;</n>", #"{"type": "string"}"#)
        == "\"\(lines.replacing("\n", with: "\\n"))7 8\"")
  }

  @Test func `a shared element is validated as one object without its siblings`() throws {
    let text = """
      {"type": "object", "additionalProperties": false, "properties": {"b": {"type": "integer"}, "o": {"type": "object",
      "xml": {"nodeType": "none"}, "additionalProperties": false, "properties": {"a": {"type": "integer"}}}}}
      """
    let schema = try Self.parse(text)
    func accepts(_ xml: String) -> Bool {
      let readings = XMLBody(schema).decode(Array(xml.utf8)).readings
      let compiled = SchemaLibrary(dialect: .openAPI31).schema(at: schema.node)
      return readings.contains { compiled.accepts($0) }
    }
    #expect(accepts("<r><a>1</a><b>2</b></r>"))
    #expect(accepts("<r><b>2</b></r>"))
    #expect(!accepts("<r><a>x</a><b>2</b></r>"))
    #expect(!accepts("<r><a>1</a><c>2</c></r>"))
  }

  @Test(arguments: [#"{"a b":1}"#, #"{"1a":1}"#, #"{"":1}"#, #"{"a:b":1}"#, #"{"a":"\u0000"}"#])
  func `what XML cannot hold is not written`(value: String) throws {
    #expect(XMLText.write(try JSONParser.parse(Array(value.utf8)).root, schema: .any) == nil)
  }
}
