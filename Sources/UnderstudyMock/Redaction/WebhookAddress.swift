/// Addresses of services whose path is a credential: a program that knows it can send messages.
enum WebhookAddress {
  /// The start of the address behind `https://`, and the number of segments between it and the secret.
  private static let all: [(start: [UInt8], segments: Int)] = [
    ("hooks.slack.com/services/", 2), ("hooks.slack.com/workflows/", 2), ("hooks.slack.com/triggers/", 2),
    ("discord.com/api/webhooks/", 1), ("discordapp.com/api/webhooks/", 1), ("api.telegram.org/bot", 0),
    ("hooks.zapier.com/hooks/catch/", 1), ("outlook.office.com/webhook/", 0),
  ].map { (Array($0.0.utf8), $0.1) }

  /// The secret of the address whose host starts at a position.
  static func secret(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    let rest = bytes[start...]
    guard let (prefix, segments) = all.first(where: { rest.starts(with: $0.start) }) else { return nil }
    var from = start + prefix.count
    let end = bytes[from...].firstIndex { "?#\"'<>\\ )\n\r\t".utf8.contains($0) } ?? bytes.count
    for _ in 0..<segments {
      guard let slash = bytes[from..<end].firstIndex(of: UInt8(ascii: "/")) else { return nil }
      from = slash + 1
    }
    let last = bytes[from..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    return from < last ? from..<last : nil
  }
}
