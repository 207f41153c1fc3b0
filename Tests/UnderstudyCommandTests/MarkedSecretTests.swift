import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Values at places that a contract marks as secret, in everything that the program writes of a request that breaks one
/// keyword there.
struct MarkedSecretTests {
  private static let text = "Zq9hunter2secret"
  private static let number = "790790791"
  private static let name = "hunterkey"
  private static let end = "yyyyyyyyyyyy"
  /// Parts of all values, each of which has a number of its own.
  private static let secrets = ["hunter", "790790", end]

  /// A string with values of its own: a mock that knows a value from another request would hide it anywhere.
  private static func numbered(_ text: String, _ number: Int) -> String {
    text.replacing("hunter", with: "hunter\(number)").replacing("790790", with: "790790\(number)")
  }

  /// Longer than what a message quotes.
  private static let long = text + String(repeating: end, count: 20)

  /// Longer than the bodies that are searched while a client waits.
  private static let huge = text + String(repeating: end, count: 2_000)

  private static let marks = [
    ("password", "format: password"), ("secret", "x-secret: true"), ("sensitive", "x-sensitive: true"),
    ("writeOnly", "writeOnly: true"),
  ]

  private struct Case {
    /// The keyword that the finding names.
    var keyword: String
    /// `%` stands for the mark, and `#` for a name of its own: the name alone must not show that a value is secret.
    var schema: String
    var body: String
    var type = "application/json"
    /// The member of the media type with the schema.
    var key = "schema"
    /// The location that the finding names; `nil` where the message may show what is around the secret.
    var place: String? = "/#: "
  }

  private static func property(_ keyword: String, _ schema: String, _ value: String) -> Case {
    Case(keyword: keyword, schema: "properties: {#: {%, \(schema)}}", body: ##"{"#": \##(value)}"##)
  }

  private static let properties = [
    property("enum", "enum: [a, b]", #""\#(text)""#), property("enum", "enum: [a, b]", #""\#(long)""#),
    property("const", "const: a", #""\#(text)""#), property("const", "const: {a: b}", #"{"a": "\#(text)"}"#),
    property("pattern", "pattern: '^a+$'", #""\#(long)""#), property("minLength", "minLength: 999", #""\#(text)""#),
    property("maxLength", "maxLength: 3", #""\#(text)""#), property("type", "type: integer", #""\#(text)""#),
    property("type", "type: string", number), property("not", "not: {type: string}", #""\#(text)""#),
    property("format", "allOf: [{format: date}]", #""\#(text)""#),
    property("multipleOf", "type: integer, multipleOf: 5", number), property("maximum", "maximum: 5", number),
    property("uniqueItems", "uniqueItems: true", #"["\#(text)", "\#(text)"]"#),
    property("uniqueItems", "uniqueItems: true", "[\(number), \(number)]"),
    property("contains", "contains: {const: a}", #"["\#(text)"]"#),
    property("required", "required: [a]", #"{"b": "\#(text)"}"#),
    property("additionalProperties", "additionalProperties: false", #"{"\#(name)": "\#(text)"}"#),
    property("maxLength", "propertyNames: {maxLength: 3}", #"{"\#(name)": 1}"#),
    property("minProperties", "minProperties: 3", #"{"\#(name)": 1}"#),
    property("oneOf", "oneOf: [{const: a}, {const: b}]", #""\#(text)""#),
    property(
      "oneOf", "discriminator: {propertyName: kind}, oneOf: [{$ref: '#/components/schemas/cat'}]",
      #"{"kind": "\#(text)"}"#),
  ]

  private static let others = [
    Case(keyword: "enum", schema: "%, enum: [a]", body: #""\#(text)""#, place: ""),
    Case(
      keyword: "maxLength", schema: "properties: {#: {anyOf: [{%, maxLength: 3}, {type: 'null'}]}}",
      body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "enum", schema: "properties: {#: {items: {%, enum: [a]}}}", body: ##"{"#": ["\##(text)"]}"##,
      place: "/#/0: "),
    Case(
      keyword: "enum", schema: "properties: {#: {prefixItems: [{%, enum: [a]}]}}", body: ##"{"#": ["\##(text)"]}"##,
      place: "/#/0: "),
    Case(
      keyword: "enum", schema: "properties: {#: {additionalProperties: {%, enum: [a]}}}",
      body: ##"{"#": {"x": "\##(text)"}}"##, place: "/#/x: "),
    Case(keyword: "enum", schema: "patternProperties: {'^#': {%, enum: [a]}}", body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "enum", schema: "if: {required: [#]}, then: {properties: {#: {%, enum: [a]}}}",
      body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "const", schema: "const: {#: a}, properties: {#: {%}}", body: ##"{"#": "\##(long)"}"##, place: nil),
    Case(
      keyword: "multipleOf", schema: "properties: {#: {%, type: integer, multipleOf: 5}}", body: "#=\(number)",
      type: "application/x-www-form-urlencoded"),
    Case(
      keyword: "enum", schema: "properties: {#: {%, enum: [a]}}", body: "#=\(text)",
      type: "application/x-www-form-urlencoded"),
    Case(
      keyword: "enum", schema: "xml: {name: root}, properties: {#: {%, enum: [a]}}",
      body: "<root><#>\(text)</#></root>",
      type: "application/xml"),
    Case(keyword: "enum", schema: "%, enum: [a]", body: text, type: "text/plain", place: ""),
    Case(keyword: "const", schema: "%, const: a", body: text, type: "application/jwt", place: ""),
    Case(keyword: "enum", schema: "%, enum: [a]", body: huge, type: "text/plain", place: ""),
    Case(
      keyword: "const", schema: "properties: {#: {%, const: q}}", body: ##"{"#": "q"}\##n{"#": "\##(text)"}\##n"##,
      type: "application/x-ndjson", key: "itemSchema", place: "/1/#: "),
    Case(
      keyword: "maxLength", schema: "%, maxLength: 3", body: #""a"\#n"\#(text)"\#n"#, type: "application/x-ndjson",
      key: "itemSchema", place: "/1: "),
    Case(
      keyword: "const",
      schema: "properties: {event: {const: a}, data: {contentMediaType: application/json, "
        + "contentSchema: {properties: {#: {%}}}}}",
      body: ##"event: b\##ndata: {"#":"\##(text)"}\##n\##ndata: {"#":\##ndata: "\##(name)"}\##n\##n"##,
      type: "text/event-stream", key: "itemSchema", place: nil),
    Case(
      keyword: "const", schema: "properties: {id: {%, const: a}, data: {%}}", body: "id: \(text)\ndata: \(name)\n\n",
      type: "text/event-stream", key: "itemSchema", place: "/0/id: "),
    Case(
      keyword: "enum", schema: "properties: {#: {%, enum: [a]}}",
      body: "--b\r\nContent-Disposition: form-data; name=\"#\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\n"
        + "\(text)\r\n--b--\r\n",
      type: "multipart/form-data; boundary=b"),
    Case(
      keyword: "maximum", schema: "properties: {#: {if: {type: integer}, then: {%, maximum: 3}}}",
      body: ##"{"#": \##(number)}"##),
    Case(
      keyword: "maxLength", schema: "properties: {#: {propertyNames: {%, maxLength: 3}}}",
      body: ##"{"#": {"\##(name)": 1}}"##),
    Case(
      keyword: "type", schema: "properties: {#: {propertyNames: {%}, additionalProperties: {type: integer}}}",
      body: ##"{"#": {"\##(name)": "x"}}"##),
  ]

  private static func xml(_ schema: String, _ body: String, _ place: String? = "/#: ") -> Case {
    Case(keyword: "enum", schema: schema, body: body, type: "application/xml", place: place)
  }

  /// XML names that differ from the property names.
  private static let xml = [
    xml("properties: {#: {%, enum: [a], xml: {name: other}}}", "<r><other>\(text)</other></r>"),
    xml(
      "properties: {#: {%, enum: [a], xml: {name: other, prefix: p, namespace: 'urn:x'}}}",
      "<r xmlns:p='urn:x'><p:other>\(text)</p:other></r>"),
    xml(
      "properties: {#: {type: array, xml: {wrapped: true}, items: {%, enum: [a], xml: {name: it}}}}",
      "<r><#><it>\(text)</it></#></r>", "/#/0: "),
    xml(
      "properties: {#: {type: array, items: {%, enum: [a], xml: {name: it}}}}", "<r><it>\(text)</it><it>a</it></r>",
      "/#/0: "),
    xml(
      "properties: {#: {%, enum: [a], xml: {attribute: true}}}", "<r other='>' # = \"\(text)\">\n</r>"),
    xml("properties: {#: {%, enum: [a]}}", "<r><#>\(text)<!-- \(text) --></#></r>"),
    xml("properties: {#: {%, enum: [a]}}", "<r><#>Zq9<![CDATA[hunter2secret]]></#></r>"),
    xml("type: string, %, enum: [a]", "<r>\(text)</r>", ""),
    xml(
      "properties: {#: {%, type: object, properties: {a: {type: integer}, b: {enum: [a]}}}}",
      "<r><#><a>\(number)</a><b>\(text)</b></#></r>"),
    Case(
      keyword: "maxLength", schema: "properties: {#: {type: object, propertyNames: {%, maxLength: 3}}}",
      body: "<r><#><\(name)>1</\(name)></#></r>", type: "application/xml"),
    Case(
      keyword: "maxLength", schema: "properties: {a: {type: integer}, #: {%, maxLength: 99, xml: {name: other}}}",
      body: "<r><a>x</a><other>\(text)</other></r>", type: "application/xml", place: nil),
  ]

  private static func form(_ keyword: String, _ schema: String, _ body: String, _ style: String? = nil) -> Case {
    Case(
      keyword: keyword, schema: schema + (style.map { "}, encoding: {#: {\($0)}" } ?? ""), body: body,
      type: "application/x-www-form-urlencoded", place: nil)
  }

  /// Names and values in names, and in the value of an object.
  private static let forms = [
    form(
      "enum", "properties: {#: {type: object, properties: {k: {%, enum: [a]}}}}", "#[k]=\(text)",
      "style: deepObject, explode: true"),
    form(
      "enum", "properties: {#: {type: object, properties: {k: {type: object, properties: {l: {%, enum: [a]}}}}}}",
      "#%5Bk%5D%5Bl%5D=\(text)", "style: deepObject, explode: true"),
    form(
      "enum", "properties: {#: {type: object, properties: {k: {%, enum: [a]}}}}", "#=k,\(text)",
      "style: form, explode: false"),
    form(
      "enum", "properties: {#: {type: object, properties: {k#: {%, enum: [a]}}}}", "k#=\(text)",
      "style: form, explode: true"),
    form(
      "maxLength", "properties: {#: {type: object, propertyNames: {%, maxLength: 3}}}", "#[\(name)]=1",
      "style: deepObject, explode: true"),
    form("enum", "properties: {#: {type: object, properties: {k: {%, enum: [a]}}}}", #"#={"k":"\#(text)"}"#),
    form("maxItems", "properties: {#: {type: array, maxItems: 1, items: {%}}}", "#=\(text)&#=\(text)"),
  ]

  private static let keywords = [
    Case(keyword: "not", schema: "properties: {#: {not: {type: string, %}}}", body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "contains", schema: "properties: {#: {contains: {%, const: q}}}", body: ##"{"#": ["\##(text)"]}"##,
      place: nil),
    Case(
      keyword: "const", schema: "properties: {#: {unevaluatedItems: {%, const: q}}}", body: ##"{"#": ["\##(text)"]}"##,
      place: "/#/0: "),
    Case(
      keyword: "const", schema: "unevaluatedProperties: {%, const: q}", body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "const", schema: "dependentSchemas: {#: {properties: {#: {%, const: q}}}}",
      body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "const", schema: "if: {type: object}, then: {additionalProperties: {%, const: q}}",
      body: ##"{"#": "\##(text)"}"##),
    Case(
      keyword: "const", schema: "properties: {#: {if: {type: array}, then: {items: {%, const: q}}}}",
      body: ##"{"#": ["\##(text)"]}"##, place: "/#/0: "),
    Case(
      keyword: "maxLength", schema: "type: object, propertyNames: {%, maxLength: 3}",
      body: "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n1\r\n--b--\r\n",
      type: "multipart/form-data; boundary=b", place: nil),
    Case(
      keyword: "enum", schema: "type: object, %, properties: {#: {enum: [a]}}",
      body: "--b\r\nContent-Disposition: form-data; name=\"#\"\r\n\r\n\(text)\r\n--b--\r\n",
      type: "multipart/form-data; boundary=b", place: nil),
  ]

  private static let cases = properties + others + xml + forms + keywords

  private static let contract: String = {
    let marked = marks.map { "\($0): {\($1), enum: [a]}" }.joined(separator: ", ")
    var text = """
      openapi: 3.2.0
      info: {title: t, version: "1"}
      x-understudy: {formats: assert}
      components: {schemas: {cat: {properties: {kind: {const: cat}}}, \(marked)}}
      paths:

      """
    for (name, mark) in marks {
      for (number, item) in cases.enumerated() {
        let schema = item.schema.replacing("%", with: mark).replacing("#", with: "s\(name)\(number)")
          .replacing("'s\(name)\(number)/", with: "'#/")
        text += """
            /\(name)/\(number):
              post:
                operationId: \(name)\(number)
                requestBody: {content: {"\(item.type)": {\(item.key): {\(schema)}}}}
                responses: {"204": {description: Done.}}

          """
      }
      text += """
          /\(name)/parameters/{p}:
            get:
              operationId: \(name)Parameters
              parameters:
                - {name: q, in: query, schema: {\(mark), enum: [a]}}
                - {name: n, in: query, schema: {\(mark), type: integer, multipleOf: 5}}
                - {name: p, in: path, required: true, schema: {\(mark), const: a}}
                - {name: H, in: header, schema: {\(mark), enum: [a]}}
                - {name: c, in: cookie, schema: {\(mark), enum: [a]}}
                - {name: d, in: query, style: deepObject, explode: true, schema: {properties: {k: {\(mark), enum: [a]}}}}
                - {name: o, in: query, schema: {properties: {e: {\(mark), enum: [a]}}}}
                - {name: x, in: query, x-secret: true, schema: {type: integer}}
                - {name: X-Own, in: header, x-secret: true, schema: {type: integer}}
                - {name: g, in: query, style: deepObject, explode: true, schema: {type: object, propertyNames: {\(mark), maxLength: 3}}}
                - {name: f, in: query, style: deepObject, explode: true, schema: {properties: {k: {$ref: '#/components/schemas/\(name)'}}}}
              responses: {"204": {description: Done.}}

        """
    }
    return text
  }()

  private static func send(to port: Int) throws -> [String] {
    let client = try RawClient(port: port)
    var answers: [String] = []
    var count = 1_000
    func own(_ text: String) -> String {
      count += 1
      return numbered(text, count)
    }
    for (name, _) in marks {
      for (number, item) in cases.enumerated() {
        let body = own(item.body).replacing("#", with: "s\(name)\(number)")
        try client.send(
          "POST /\(name)/\(number) HTTP/1.1\r\nHost: h\r\nContent-Type: \(item.type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let response = try client.response()
        #expect(response.status == 422, "\(name) \(item)")
        answers.append("\(response)")
      }
      let query = [
        "q=\(text)", "n=\(Self.number)", "d[k]=\(text)", "e=\(text)", "x=\(text)", "g[\(Self.name)]=1", "f[k]=\(text)",
      ]
      let fields = ["H: \(text)", "X-Own: \(text)", "Cookie: c=\(text)"]
      try client.send(
        "GET /\(name)/parameters/\(own(text))?\(query.map(own).joined(separator: "&")) HTTP/1.1\r\nHost: h\r\n"
          + fields.map { own($0) + "\r\n" }.joined() + "\r\n")
      answers.append("\(try client.response())")
    }
    for target in ["requests?limit=200", "requests/har", "lanes/default?state=true"] {
      try client.send("GET /__admin/\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      let response = try client.response()
      #expect(response.status == 200, "\(target)")
      answers.append("\(response)")
    }
    return answers
  }

  @Test func `no output shows a value at a marked place, whichever keyword it breaks`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let mock = try ServedMock(
        ["api.yaml", "--har", "t.har", "--journal", "j.sqlite", "--on-invalid", "problem"], in: folder)
      let answers = try Self.send(to: mock.port)
      let log = mock.end().printed
      let formats = ReportFormat.allCases.map(\.rawValue)
      let verified = try Command.run(
        Command.path,
        ["verify", "api.yaml", "--har", "t.har"] + formats.flatMap { ["--report", "\($0)=report.\($0)"] }, in: folder)
      let shown = try Command.run("journal", "j.sqlite", "--format", "har", in: folder)
      var outputs =
        answers.map { ("an answer", $0) } + [("log", log), ("verify", verified.output), ("journal", shown.output)]
      for file in ["t.har", "j.sqlite"] + formats.map({ "report.\($0)" }) {
        let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(file)"), "\(file)")
        outputs.append((file, String(decoding: bytes, as: UTF8.self)))
      }
      for (output, text) in outputs {
        for secret in Self.secrets where text.contains(secret) {
          Issue.record("\(output) shows \(secret): \(text.utf8.count < 4_000 ? text : Self.around(secret, text))")
        }
      }
      // The findings are there.
      for (mark, _) in Self.marks {
        for (number, item) in Self.cases.enumerated() {
          guard let place = item.place?.replacing("#", with: "s\(mark)\(number)") else { continue }
          let finding = "error: \(place)the value breaks `\(item.keyword)`; it is a secret and not shown"
          let own = log.split(separator: " POST /\(mark)/\(number) ", maxSplits: 1).last?.prefix(600)
          #expect(own?.contains(finding) == true, "\(mark): \(item) is not found as \(finding) in \(own ?? "")")
        }
        for place in [
          "query `q`", "query `n`", "query `d`", "query `o`", "query `x`", "query `g`", "query `f`", "path `p`",
          "header `H`", "header `X-Own`",
          "cookie `c`",
        ] {
          #expect(log.contains("\(place): the value breaks"), "\(place)")
        }
      }
      for format in formats where !["github", "gitlab", "markdown"].contains(format) {
        let report = outputs.first { $0.0 == "report.\(format)" }?.1 ?? ""
        #expect(report.contains("it is a secret and not shown"), "\(format)")
      }
    }
  }

  private static func around(_ secret: String, _ text: String) -> String {
    let parts = text.split(separator: secret, maxSplits: 1, omittingEmptySubsequences: false)
    return parts[0].suffix(200) + "..." + (parts.last?.prefix(100) ?? "")
  }

  @Test func `a value that the schema lists is kept at a marked place, and no other value is`() throws {
    let contract = ContractFixture(
      ContractFixture.text(
        paths: """
            /login:
              post:
                operationId: login
                requestBody:
                  content:
                    application/json:
                      schema: {properties: {grant: {type: string, writeOnly: true, enum: [password-grant, code-grant]}}}
                responses: {"204": {description: In.}}

          """))
    let mock = try contract.mock()
    var redactor = Redactor(mock.contracts.map(\.compiled.secrets), style: .marker)
    let operation = try #require(mock.operations.first?.compiled.operation)
    let bodies = ["code-grant", "other-grant"].map { grant in
      let request = Mock.request(.post, "/login", ["Content-Type": "application/json"])
      let content = redactor.redact(
        Exchange(request, body: Array(#"{"grant":"\#(grant)"}"#.utf8)), of: operation)
      return String(decoding: content.value.requestBody.bytes, as: UTF8.self)
    }
    #expect(bodies == [#"{"grant":"code-grant"}"#, #"{"grant":"[redacted]"}"#])
  }
}
