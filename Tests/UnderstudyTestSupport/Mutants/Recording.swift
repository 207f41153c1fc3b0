import UnderstudySchema

/// Exchanges in the text form of scenarios as a recording (HAR 1.2).
enum Recording {
  static func text(of exchanges: [String]) -> String {
    let entries = Scenario.parse("=== exchanges\n" + exchanges.joined(separator: "\n")).flatMap(\.exchanges).map(entry)
    return JSONWriter.text([
      "log": [
        "version": "1.2", "creator": ["name": "a browser", "version": "1"], "entries": .array(entries),
      ]
    ])
  }

  private static func entry(_ exchange: Scenario.Exchange) -> JSON {
    let type = exchange.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    // Lines of a multipart body end with CRLF (RFC 2046, 5.1.1).
    let body = type.hasPrefix("multipart/") ? exchange.body.replacing("\n", with: "\r\n") : exchange.body
    var request: [(String, JSON)] = [
      ("method", .string(exchange.method)), ("url", .string(exchange.target)), ("httpVersion", "HTTP/1.1"),
      ("headers", fields(exchange.headers)), ("queryString", []), ("cookies", []), ("headersSize", -1),
      ("bodySize", JSON(integerLiteral: body.utf8.count)),
    ]
    if !body.isEmpty { request.append(("postData", ["mimeType": .string(type), "text": .string(body)])) }
    let answer = String(decoding: exchange.expectedBody ?? [], as: UTF8.self)
    let answerType = exchange.expectedHeaders.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    let response: JSON = [
      "status": JSON(integerLiteral: exchange.status), "statusText": "", "httpVersion": "HTTP/1.1",
      "headers": fields(exchange.expectedHeaders), "cookies": [], "redirectURL": "", "headersSize": -1,
      "bodySize": JSON(integerLiteral: answer.utf8.count),
      "content": [
        "size": JSON(integerLiteral: answer.utf8.count), "mimeType": .string(answerType), "text": .string(answer),
      ],
    ]
    let time = JSON(integerLiteral: exchange.milliseconds)
    return [
      "startedDateTime": "2022-12-06T11:02:15.120Z", "time": time, "request": .object(request), "response": response,
      "cache": [:], "timings": ["send": 0, "wait": time, "receive": 0],
    ]
  }

  private static func fields(_ headers: [(name: String, value: String)]) -> JSON {
    .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
  }
}
