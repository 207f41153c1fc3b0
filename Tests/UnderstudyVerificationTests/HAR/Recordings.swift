import Foundation
import UnderstudyTestSupport
import UnderstudyVerification

/// Recordings for tests.
enum Recordings {
  /// A HAR file around some entries.
  static func har(_ entries: [String], creator: String = "Test") -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "\(creator)", "version": "1"}, "pages": [{"id": "p", "x": [[]]}],
      "entries": [
    \(entries.joined(separator: ",\n"))
    ]}}
    """
  }

  /// An entry; `request` and `response` are additional members.
  static func entry(
    _ method: String = "GET", _ url: String = "https://api.example/pets", status: Int = 200,
    at time: String = "2026-01-01T10:00:00.000Z", headers: [(String, String)] = [], request: String = "",
    answerHeaders: [(String, String)] = [("Content-Type", "application/json")],
    content: String = #""size": 2, "mimeType": "application/json", "text": "[]""#, response: String = ""
  ) -> String {
    func list(_ fields: [(String, String)]) -> String {
      JSONWriter.text(
        .array(fields.map { .object([("name", .string($0.0)), ("value", .string($0.1))]) }))
    }
    return """
      {"startedDateTime": "\(time)", "time": 12.5, "request": {"method": "\(method)", "url": "\(url)",
       "httpVersion": "h2", "cookies": [], "headers": \(list(headers)), "queryString": [], "headersSize": -1,
       "bodySize": -1\(request.isEmpty ? "" : ", " + request)}, "response": {"status": \(status), "statusText": "",
       "httpVersion": "h2", "cookies": [], "headers": \(list(answerHeaders)), "content": {\(content)},
       "redirectURL": "", "headersSize": -1, "bodySize": -1\(response.isEmpty ? "" : ", " + response)},
       "cache": {}, "timings": {"send": 0, "wait": 12.5, "receive": 0}}
      """
  }

  /// One entry, read.
  static func read(_ entry: String) throws -> Exchange {
    try HAREntry.read(try JSONParser.parse(Array(entry.utf8)).root, index: 0, line: 1)
  }

  /// A text as a recording, there while `body` runs.
  static func withFile<R>(_ text: String, _ body: (HARFile) throws -> R) throws -> R {
    try withFile(Array(text.utf8), body)
  }

  static func withFile<R>(_ bytes: [UInt8], _ body: (HARFile) throws -> R) throws -> R {
    try withTemporaryFolder { (folder) throws in
      try Data(bytes).write(to: URL(filePath: folder + "/t.har"))
      return try body(try HARFile(folder + "/t.har"))
    }
  }
}
