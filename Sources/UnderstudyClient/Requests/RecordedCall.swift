import Foundation

extension Call {
  /// Reads a request as the admin API shows it: an entry of a HAR 1.2 file with findings.
  ///
  /// - Parameter templates: The paths of the operations.
  init(_ detail: JSONValue, templates: [String: String]) {
    let entry = detail["exchange"]
    let request = entry?["request"]
    let response = entry?["response"]
    let own = entry?["_understudy"]
    operation = own?["operation"]?.string
    method = request?["method"]?.string ?? ""
    target = Self.target(request?["url"]?.string ?? "")
    headers = (request?["headers"]?.array ?? []).compactMap { field in
      guard let name = field["name"]?.string, let value = field["value"]?.string else { return nil }
      return HeaderField(name: name, value: value)
    }
    body = Self.body(request?["postData"])
    status = response?["status"]?.int ?? 0
    responseBody = Self.body(response?["content"])
    reason = own?["reply"]?.string ?? ""
    findings = (detail["findings"]?.array ?? []).filter { $0["owner"]?.string == "client" }.compactMap(Finding.init)
    template = operation.flatMap { templates[$0] }
  }

  private static func body(_ content: JSONValue?) -> Data {
    let text = content?["text"]?.string ?? ""
    guard content?["encoding"]?.string == "base64" else { return Data(text.utf8) }
    return Data(base64Encoded: text) ?? Data()
  }

  /// What follows the address of the server.
  private static func target(_ url: String) -> String {
    guard let scheme = url.range(of: "://"), let start = url[scheme.upperBound...].firstIndex(of: "/") else {
      return "/"
    }
    return String(url[start...])
  }
}

extension Call {
  /// The longest body that a failure shows, in bytes.
  private static let shownLimit = 16 * 1024

  /// The request and its answer, for the attachment of a failure.
  var exchangeText: String {
    let head = headers.map { "\($0.name): \($0.value)\n" }.joined()
    return "\(method) \(target) HTTP/1.1\n\(head)\(Self.shown(body))\n\n# \(reason)\nHTTP/1.1 \(status)\n"
      + "\(Self.shown(responseBody))\n"
  }

  private static func shown(_ body: Data) -> String {
    guard !body.isEmpty else { return "" }
    let rest = body.count - shownLimit
    return "\n" + String(decoding: body.prefix(shownLimit), as: UTF8.self) + (rest > 0 ? "\n(\(rest) more bytes)" : "")
  }
}
