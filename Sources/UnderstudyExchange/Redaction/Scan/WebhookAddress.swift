/// Addresses of services whose path is a credential: a program that knows it can send messages.
enum WebhookAddress {
  private struct Service {
    /// The host; its subdomains fit too.
    let host: String
    /// The segments before the secret; `*` is any.
    let path: [String]

    init(_ host: String, _ path: String) {
      self.host = host
      self.path = path.split(separator: "/").map(String.init)
    }

    func isAt(_ host: String) -> Bool { host == self.host || host.hasSuffix("." + self.host) }
  }

  private static let all = [
    Service("slack.com", "services/*/*"), Service("slack.com", "workflows/*/*"), Service("slack.com", "triggers/*/*"),
    Service("slack-gov.com", "services/*/*"), Service("discord.com", "api/webhooks/*"),
    Service("discord.com", "api/*/webhooks/*"), Service("discordapp.com", "api/webhooks/*"),
    Service("discordapp.com", "api/*/webhooks/*"), Service("hooks.zapier.com", "hooks/catch/*"),
    Service("office.com", "webhook"), Service("office.com", "webhookb2"), Service("office365.com", "webhook"),
    Service("maker.ifttt.com", "trigger/*/with/key"), Service("maker.ifttt.com", "trigger/*/json/with/key"),
    Service("hooks.airtable.com", "workflows/v1/genericWebhook/*/*"), Service("hook.make.com", ""),
  ]

  private static let telegram = "api.telegram.org"
  private static let segmentLimit = 8
  /// The longest name of a host has 253 bytes, and a port may follow.
  private static let hostLimit = 260
  private static let lengthLimit = 4_096

  static func secret(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    guard let slash = bytes[start...].prefix(hostLimit).firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = FieldSyntax.lowercased(bytes[start..<slash].prefix { $0 != UInt8(ascii: ":") })
    // Any other address is not read any further: a text may have as many of them as it has room for.
    guard host == telegram || all.contains(where: { $0.isAt(host) }) else { return nil }
    let rest = bytes[start...].prefix(lengthLimit)
    let end = rest.firstIndex { "?#\"'<>\\ )\n\r\t".utf8.contains($0) } ?? rest.endIndex
    let parts = bytes[start..<end].split(
      separator: UInt8(ascii: "/"), maxSplits: segmentLimit, omittingEmptySubsequences: false)
    guard parts.count > 1 else { return nil }
    let path = parts.dropFirst()
    if host == telegram, path[1].starts(with: "bot".utf8) { return range(path[1].dropFirst(3)) }
    for service in all where service.isAt(host) {
      guard path.count > service.path.count,
        zip(service.path, path).allSatisfy({ $0 == "*" || FieldSyntax.equalIgnoringCase($0.utf8, $1) })
      else { continue }
      return range(path[1 + service.path.count])
    }
    return nil
  }

  private static func range(_ secret: ArraySlice<UInt8>) -> Range<Int>? {
    secret.isEmpty ? nil : secret.startIndex..<secret.endIndex
  }
}
