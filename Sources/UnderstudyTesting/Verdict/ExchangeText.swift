import Understudy

/// A request and its answer as readable text, without secrets.
struct ExchangeText {
  private let redaction: Redaction

  init(_ contracts: [Contract]) { redaction = Redaction(contracts.map(\.api)) }

  /// The longest body that is shown, in bytes.
  static let bodyLimit = 16 * 1024

  func text(_ call: Call) -> String {
    let reply = call.reply
    return "\(call.method) \(redaction.url(call.target)) HTTP/1.1\n" + message(call.fields, call.body)
      + "\n\n# \(call.reason)\(reply.fault.map { ", \($0.rawValue)" } ?? "")\nHTTP/1.1 \(call.status)\n"
      + message(reply.response.headerFields, reply.body) + "\n"
  }

  private func message(_ fields: HTTPFields, _ body: [UInt8]) -> String {
    let head = fields.map { "\($0.name.rawName): \(redaction.value($0.name.rawName, $0.value))\n" }.joined()
    guard !body.isEmpty else { return head }
    let shown = redaction.body(body, fields[.contentType].flatMap { MediaRange($0) })
    let rest = shown.count - Self.bodyLimit
    return head + "\n" + String(decoding: shown.prefix(Self.bodyLimit), as: UTF8.self)
      + (rest > 0 ? "\n(\(rest) more bytes)" : "")
  }
}
