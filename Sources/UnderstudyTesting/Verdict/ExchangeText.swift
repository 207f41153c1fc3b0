import UnderstudyMock

/// A request and its answer as readable text, without secrets.
struct ExchangeText {
  private let redactor: Redactor

  init(_ contracts: [Contract]) { redactor = Redactor(contracts.map(\.compiled.secrets), style: .marker) }

  /// The longest body that is shown, in bytes.
  static let bodyLimit = 16 * 1024

  func text(_ call: Call) -> String {
    let reply = call.reply
    var redactor = redactor
    let exchange = redactor.redact(call.exchange, of: reply.operation?.compiled.operation).value
    let request = "\(call.method) \(exchange.request.path ?? call.target) HTTP/1.1\n"
    let reason = "# \(call.reason)\(reply.fault.map { ", \($0)" } ?? "")\n"
    return request + message(exchange.requestFields, exchange.requestBody.bytes) + "\n\n" + reason
      + "HTTP/1.1 \(call.status)\n"
      + message(exchange.response?.fields ?? [:], exchange.response?.body.bytes ?? []) + "\n"
  }

  /// The most exchanges of one attachment.
  private static let exchangeLimit = 5

  /// The last exchanges as one attachment; none where there are no calls.
  func last(of calls: [Call]) -> [(name: String, text: String)] {
    guard !calls.isEmpty else { return [] }
    let texts = calls.suffix(Self.exchangeLimit).map { text($0) }
    return [(name: "exchanges.http", text: texts.joined(separator: "\n###\n\n"))]
  }

  private func message(_ fields: HTTPFields, _ body: [UInt8]) -> String {
    let head = fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
    guard !body.isEmpty else { return head }
    let rest = body.count - Self.bodyLimit
    return head + "\n" + String(decoding: body.prefix(Self.bodyLimit), as: UTF8.self)
      + (rest > 0 ? "\n(\(rest) more bytes)" : "")
  }
}
