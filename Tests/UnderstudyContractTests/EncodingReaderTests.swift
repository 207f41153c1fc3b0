import Testing
import UnderstudyContract
import UnderstudyTestSupport

struct EncodingReaderTests {
  static func media(_ version: String) throws -> MediaTypeObject? {
    try ContractFixture(
      operation: """
        requestBody:
          content:
            multipart/mixed:
              prefixEncoding: [{contentType: application/json}, {contentType: text/plain}]
              itemEncoding:
                contentType: multipart/mixed
                encoding: {a: {contentType: image/png, encoding: {b: {contentType: text/html}}}}
                itemEncoding: {contentType: text/csv}
                prefixEncoding: [{contentType: text/xml}]
        responses: {"200": {description: d}}
        """, version: version
    ).api.operations[0].requestBody?.content.first
  }

  @Test func `encodings by position are read from 3-2 on, with one level inside`() throws {
    let media = try #require(try Self.media("3.2.0"))
    #expect(media.prefixEncodings.map(\.contentType) == ["application/json", "text/plain"])
    let item = try #require(media.itemEncoding)
    #expect(item.contentType == "multipart/mixed")
    let nested = try #require(item.nested.first)
    #expect(nested.encodings.map(\.property) == ["a"])
    #expect(nested.encodings.map(\.nested.count) == [0])
    #expect(nested.prefixEncodings.map(\.contentType) == ["text/xml"])
    #expect(nested.itemEncoding?.contentType == "text/csv")
  }

  @Test func `before, they mean nothing`() throws {
    let media = try #require(try Self.media("3.1.0"))
    #expect(media.prefixEncodings.isEmpty)
    #expect(media.itemEncoding == nil)
  }

  @Test func `all files use the security schemes of the entry document`() throws {
    let documents = DocumentStore.inMemory([
      "api.yaml": """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      paths: {/a: {$ref: "paths.yaml#/a"}}
      components: {securitySchemes: {key: {type: http, scheme: bearer}}}
      """,
      "paths.yaml": """
      a: {get: {security: [{key: []}], responses: {"200": {description: d}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
      """,
    ])
    let bench = try TextValidator("api.yaml", from: documents)
    #expect(bench.validate("GET /a\nX-Key: 1").places == ["req.security.missing /header"])
    #expect(bench.validate("GET /a\nAuthorization: Bearer t").places == [])
  }
}
