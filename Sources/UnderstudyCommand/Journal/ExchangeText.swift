import HTTPTypes
package import UnderstudySchema
import UnderstudyVerification

/// One request of a journal with its answer, for people: as text, or as a report in Markdown.
package struct ExchangeText {
  /// As the admin API shows it.
  private let detail: JSON

  package init(_ detail: JSON) { self.detail = detail }

  private func text(_ name: String) -> String? { detail[name]?.text }
  private func list(_ name: String) -> [JSON] { Array(detail[name]?.elements ?? JSON.array([]).elements) }
  private var request: JSON? { detail["exchange"]?["request"] }
  private var response: JSON? { detail["exchange"]?["response"] }
  private var took: String { Duration.microseconds(Int(text("microseconds") ?? "") ?? 0).shortText }
  private var title: String { "\(text("method") ?? "") \(text("target") ?? "")" }
  private var outcome: String { text("status").map { "answered \($0) in \(took)" } ?? "no answer after \(took)" }

  // MARK: - Text

  /// `12  09:41:07 GET /chat 200 0.4 ms readChat  fixture readChat/200`
  static func line(_ request: JSON) -> String {
    func text(_ name: String) -> String { request[name]?.text ?? "" }
    let time = text("time").split(separator: "T").last.map { String($0.prefix(8)) } ?? ""
    let errors = Int(text("errors")) ?? 0
    let took = Duration.microseconds(Int(text("microseconds")) ?? 0).shortText
    let lane = request["lane"].map { " lane \($0.text)" } ?? ""
    let findings = errors > 0 ? "  \(errors.counted("error"))" : ""
    let status = request["status"]?.text ?? "---"
    let pushes = pushes(of: request).map { "  \($0)" } ?? ""
    return DiagnosticPrinter.visible(
      "\(text("id"))  \(time) \(text("method")) \(text("target")) \(status) \(took)\(lane)  \(text("reply"))\(pushes)\(findings)"
    )
  }

  /// `open  09:41:07 GET /socket.io/ 101  socket 3`, for an exchange that has not ended; `open  09:41:07 GET /v1/user hang
  /// success` for one whose response is late.
  static func line(ofOpened stream: JSON) -> String {
    func text(_ name: String) -> String { stream[name]?.text ?? "" }
    let time = text("time").split(separator: "T").last.map { String($0.prefix(8)) } ?? ""
    let lane = stream["lane"].map { " lane \($0.text)" } ?? ""
    return DiagnosticPrinter.visible(
      "open  \(time) \(text("method")) \(text("target")) \(text("status"))\(text("late"))\(lane)  \(text("reply"))")
  }

  /// `push matched`, for the push messages of a scenario; `nil` without any.
  private static func pushes(of request: JSON) -> String? {
    request["pushes"].map { "push " + $0.elements.map(\.text).joined(separator: ", ") }
  }

  /// `09:41:07 < chat {"_id":"7"}  socket 3`, for a message of a socket.
  static func line(ofMessage message: JSON) -> String {
    func text(_ name: String) -> String { message[name]?.text ?? "" }
    let time = text("time").split(separator: "T").last.map { String($0.prefix(8)) } ?? ""
    let lane = message["lane"].map { " in \($0.text)" } ?? ""
    let findings = message["findings"]?.count ?? 0
    let parts = [time, Self.mark(of: message), text("title"), text("text")].filter { !$0.isEmpty }
    return DiagnosticPrinter.visible(
      "\(parts.joined(separator: " "))  socket \(text("socket"))\(lane)"
        + (findings > 0 ? "  \(findings.counted("finding"))" : ""))
  }

  /// `>` for what a client sends, as for the lines of a request.
  private static func mark(of message: JSON) -> String { message["from"]?.isString("client") == true ? ">" : "<" }

  package var plain: String {
    var lines = ["#\(text("id") ?? "") \(title)", "\(outcome): \(text("reply") ?? "")"]
    if let operation = text("operation") { lines.append("operation \(operation) of \(text("contract") ?? "")") }
    if let lane = text("lane") { lines.append("lane \(lane)") }
    if let pushes = Self.pushes(of: detail) { lines.append(pushes) }
    if let fault = text("fault") { lines.append("fault \(fault)") }
    lines += ["", "> \(title)"] + message(request, body: request?["postData"]?["text"]?.text).map { "> \($0)" }
    if let response, let status = text("status") {
      lines += ["", "< \(status)"] + message(response, body: body(of: response)).map { "< \($0)" }
    }
    var found: [String] = []
    for finding in findings {
      found.append(finding.text)
      found += finding.notes.map { "  " + $0 }
    }
    lines +=
      section("messages", messages) + section("findings", found) + section("not validated", notValidated)
      + section("why", steps) + section("nearest operations", nearMisses)
    return lines.map { DiagnosticPrinter.visible($0) + "\n" }.joined()
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  " + $0 }
  }

  /// Header fields, an empty line, the body.
  private func message(_ message: JSON?, body: String?) -> [String] {
    let headers = headers(of: message).map { "\($0.name): \($0.value)" }
    guard let body, !body.isEmpty else { return headers }
    return headers + [""] + body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func headers(of message: JSON?) -> [(name: String, value: String)] {
    (message?["headers"]?.elements ?? JSON.array([]).elements).map { ($0["name"]?.text ?? "", $0["value"]?.text ?? "") }
  }

  private func body(of response: JSON) -> String? {
    guard let content = response["content"], let text = content["text"]?.text else { return nil }
    return content["encoding"]?.text == "base64" ? "(binary, base64) \(text)" : text
  }

  /// Those of a stream, each with its time since the head of the answer: `#12 after 1.5 s, event price: {"now": 1}`.
  private var messages: [String] {
    (detail["messages"]?["last"]?.elements ?? JSON.array([]).elements).map { message in
      func text(_ name: String) -> String? { message[name]?.text }
      let time = Duration.microseconds(Int(text("microseconds") ?? "") ?? 0).shortText
      if message["from"] != nil { return Self.text(ofMessage: message, after: time) }
      let marks = ["event", "id"].compactMap { name in text(name).map { ", \(name) \($0)" } }.joined()
      let size = text("size").map { " (\($0) bytes in all)" } ?? ""
      return "#\(text("number") ?? "") after \(time)\(marks): \(text("text") ?? "")\(size)"
    }
  }

  /// `#2 after 1.5 s < chat {"_id":"7"}`, for a message of a socket.
  private static func text(ofMessage message: JSON, after time: String) -> String {
    func text(_ name: String) -> String? { message[name]?.text }
    let kind = text("kind") ?? "event"
    let event = text("event").map { kind == "event" ? $0 : "\($0) (\(kind))" }
    let name = event ?? [text("kind"), text("acknowledgement")].compactMap(\.self).joined(separator: " ")
    let parts = [
      "#\(text("number") ?? "") after \(time)", mark(of: message), name, text("namespace"), text("text"),
      text("size").map { "(\($0) bytes in all)" },
    ]
    let found = (message["findings"]?.elements ?? JSON.array([]).elements).compactMap { $0["rule"]?.text }
    return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
      + found.map { " [\($0)]" }.joined()
  }

  /// A line with those below it.
  private typealias Item = (text: String, notes: [String])

  /// The notes without a place are the requests that prove a finding.
  private var findings: [Item] {
    list("findings").map { finding in
      let place = finding["pointer"].map { "\($0.text): " } ?? ""
      let help = finding["help"].map { " (\($0.text))" } ?? ""
      let notes = Array(finding["notes"]?.elements ?? JSON.array([]).elements)
      let places = notes.compactMap { $0["place"]?.text }
      let contract = places.isEmpty ? "" : " at \(places.joined(separator: ", "))"
      let text =
        "\(finding["severity"]?.text ?? ""): \(place)\(finding["message"]?.text ?? "")\(help)\(contract) "
        + "[\(finding["rule"]?.text ?? "")]"
      return (text, notes.filter { $0["place"] == nil }.compactMap { $0["message"]?.text })
    }
  }

  private var notValidated: [String] {
    list("notValidated").map { "\($0["place"]?.text ?? "") \($0["reason"]?.text ?? "")" }
  }

  private var steps: [String] {
    list("steps").map { "\($0["outcome"]?.text ?? ""): \($0["rule"]?.text ?? ""): \($0["text"]?.text ?? "")" }
  }

  private var nearMisses: [String] {
    list("nearMisses").map { miss in
      let differences = (miss["differences"]?.elements ?? JSON.array([]).elements).map(\.text).joined(separator: "; ")
      return
        "\(miss["method"]?.text ?? "") \(miss["path"]?.text ?? "") (\(miss["operation"]?.text ?? "")): \(differences)"
    }
  }

  // MARK: - Report

  /// A report of a bug that stands for itself: what was sent, as a line of curl, what came back, and what the contract has.
  package var markdown: String {
    var lines = ["# \(code(title)): \(text("status") ?? "no answer")", ""]
    lines.append("- time: \(text("time") ?? "")")
    if let operation = text("operation") {
      lines.append("- operation: \(code(operation)) of \(code(text("contract") ?? ""))")
    }
    lines.append("- \(outcome)")
    lines.append("- answered by: \(code(text("reply") ?? "")) (Understudy \(Version.current))")
    lines += ["", "## Request", ""] + fence(curl ?? title, "sh")
    if let response, text("status") != nil {
      lines += ["", "## Answer", ""]
      lines += fence(
        (["HTTP/1.1 \(text("status") ?? "")"] + message(response, body: body(of: response))).joined(separator: "\n"),
        "http")
    }
    let sections: [(title: String, items: [Item])] = [
      ("Messages", items(messages)), ("Findings", findings), ("Not validated", items(notValidated)),
      ("Why this answer", items(steps)), ("Nearest operations", items(nearMisses)),
    ]
    for (title, items) in sections where !items.isEmpty {
      lines += ["", "## \(title)", ""]
      for item in items {
        lines.append("- \(code(item.text))")
        lines += item.notes.map { "  - \(code($0))" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func items(_ texts: [String]) -> [Item] { texts.map { ($0, []) } }

  private var curl: String? {
    guard let request, let method = request["method"]?.text, let url = request["url"]?.text else { return nil }
    let fields = HTTPFields(
      headers(of: request).filter { $0.name.lowercased() != "content-length" }.compactMap { header in
        HTTPField.Name(header.name).map { HTTPField(name: $0, value: header.value) }
      })
    let text = request["postData"]?["text"]?.text ?? ""
    let isBinary = request["postData"]?["encoding"]?.text == "base64"
    let body = isBinary ? Base64.decode(Array(text.utf8)) ?? [] : Array(text.utf8)
    return CurlLine(method: method, url: url, fields: fields, body: body.isEmpty ? .none : .bytes(body)).text()
  }

  /// Text in a span of code; backticks in it need a longer fence.
  private func code(_ text: String) -> String {
    let text = VisibleText.line(text)
    let fence = String(repeating: "`", count: longestRun(in: text) + 1)
    let space = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return fence + space + text + space + fence
  }

  private func fence(_ text: String, _ language: String) -> [String] {
    let fence = String(repeating: "`", count: max(3, longestRun(in: text) + 1))
    return [fence + language, text, fence]
  }

  /// The most backticks in a row.
  private func longestRun(in text: String) -> Int {
    text.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
  }
}
