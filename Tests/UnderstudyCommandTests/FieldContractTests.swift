import Foundation
import Testing
import UnderstudyTestSupport

/// What `init`, `verify` and `serve` make of contracts from the field.
struct FieldContractTests {
  private static let contract = """
    openapi: 3.0.3
    info: {title: t, version: "1"}
    paths:
      /tar:
        get:
          operationId: tar
          responses: {"200": {description: ok, content: {"application/x-tar": {schema: {type: string, format: binary}}}}}
      /turtle:
        get:
          operationId: turtle
          responses: {"200": {description: ok, content: {"text/turtle": {schema: {type: string}}, "application/json": {}}}}
      /star:
        get:
          operationId: star
          responses: {"200": {description: ok, content: {"*/*": {schema: {type: string}}}}}
      /parts:
        get:
          operationId: parts
          responses: {"200": {description: ok, content: {"multipart/form-data": {schema: {type: object, properties: {a: {type: string}}}}}}}
      /h:
        head:
          operationId: h
          responses: {"404": {description: ok, content: {"application/json": {schema: {type: object}}}}}
      /nc:
        delete:
          operationId: nc
          responses: {"204": {description: ok, content: {"application/json": {schema: {type: object}}}}}
      /moved:
        get:
          operationId: moved
          responses: {"302": {description: elsewhere}}
      /ex:
        get:
          operationId: ex
          responses: {"200": {description: ok, content: {"application/json": {schema: {type: object, required: [a], properties: {a: {type: integer}}}, example: {a: "1"}}}}}

    """

  @Test func `what init writes passes verify, and a broken example is replaced and named`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let result = try Command.run("init", "api.yaml", in: folder)
      #expect(
        result.output == """
          wrote fixtures/api/tar/200.bin
          wrote fixtures/api/turtle/200.txt
          wrote fixtures/api/star/200.json
          wrote fixtures/api/parts/200.yaml
          wrote fixtures/api/h/404.yaml
          wrote fixtures/api/nc/204.yaml
          wrote fixtures/api/moved/302.yaml
          wrote fixtures/api/ex/200.json
          wrote understudy.yaml

          """)
      #expect(
        result.error.hasPrefix(
          "a sample replaces the invalid example of ex/200: /a: expected integer, found string \"1\"\n"
        ), "\(result.error)")
      #expect(result.code == 0)
      let verified = try Command.run("verify", "--format", "json", in: folder)
      #expect(verified.code == 0)
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(verified.output.utf8)) as? [String: Any])
      let findings = (report["cases"] as? [[String: Any]] ?? []).flatMap { $0["findings"] as? [[String: Any]] ?? [] }
      // The contract's own example is still what it is.
      #expect(findings.compactMap { $0["rule"] as? String } == ["example.schema"], "\(verified.output)")
    }
  }

  @Test func `fixtures that init writes are served under the documented types`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      #expect(try Command.run("init", "api.yaml", in: folder).code == 0)
      let mock = try ServedMock(["--no-watch"], in: folder)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/tar").headers["content-type"] == "application/x-tar")
      #expect(try Curl.get(mock.url + "/turtle").headers["content-type"] == "text/turtle")
      let star = try Curl.get(mock.url + "/star")
      #expect(star.headers["content-type"] == "application/json")
      #expect(star.body == "\"text\"\n")
      #expect(try Curl.get(mock.url + "/moved").headers["location"] == "/")
      let parts = try Curl.get(mock.url + "/parts")
      #expect(parts.headers["content-type"]?.contains("boundary=") == true)
      #expect(parts.body.contains("name=\"a\""))
    }
  }

  @Test func `examples that break their schemas are named once at start, and with each answer`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let mock = try ServedMock(["api.yaml", "--no-watch"], in: folder)
      defer { mock.stop() }
      let notice = """
        warning: 1 example of api does not fit its schema: ex/200
          help: `understudy verify` shows the places; --dynamic serves samples instead, --errors answers 500

        """
      #expect(mock.waits(for: notice))
      for _ in 1...2 { #expect(try Curl.get(mock.url + "/ex").body == #"{"a":"1"}"#) }
      #expect(mock.waits(for: "example ex/200", count: 2))
      let printed = mock.end().printed
      #expect(printed.components(separatedBy: notice).count == 2)
      #expect(printed.components(separatedBy: "[resp.body.schema]").count == 3)
    }
  }

  @Test func `with --errors a broken example is answered by 500, and with --dynamic by a sample`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let strict = try ServedMock(["api.yaml", "--no-watch", "--errors"], in: folder)
      defer { strict.stop() }
      let answer = try Curl.get(strict.url + "/ex")
      #expect(answer.status == 500)
      #expect(answer.body.contains("answer-invalid"))
      let dynamic = try ServedMock(["api.yaml", "--no-watch", "--dynamic"], in: folder)
      defer { dynamic.stop() }
      #expect(try Curl.get(dynamic.url + "/ex").body == #"{"a":1}"#)
      #expect(!dynamic.end().printed.contains("does not fit"))
    }
  }

  @Test func `a documented OPTIONS lets a browser's preflight pass`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: t, version: "1"}
      paths:
        /p:
          put: {responses: {"200": {description: ok}}}
          options:
            responses: {"200": {description: ok, headers: {Access-Control-Allow-Origin: {schema: {type: string}}}}}

      """
    try withProject(["api.yaml": contract]) { folder in
      let mock = try ServedMock(["api.yaml", "--no-watch"], in: folder)
      defer { mock.stop() }
      let answer = try Curl.send(
        Scenario.Exchange(
          method: "OPTIONS", target: "/p",
          headers: [("Origin", "http://page.example"), ("Access-Control-Request-Method", "PUT")]), to: mock.url)
      #expect(answer.status == 204)
      #expect(answer.headers["access-control-allow-origin"] == "http://page.example")
      #expect(answer.headers["access-control-allow-methods"] == "PUT, OPTIONS")
    }
  }
}
