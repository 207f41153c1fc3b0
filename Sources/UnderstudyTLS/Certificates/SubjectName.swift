import UnderstudySystem

/// A name or an address that a certificate is valid for.
package enum SubjectName: Hashable, Sendable, CustomStringConvertible {
  case name(String)
  /// In the form of `inet_ntop`.
  case address(String)

  /// Reads a host; `nil` if it is neither a name nor an address. An IPv6 address may have brackets.
  package init?(_ host: String) {
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if let address = Self.bytes(of: bare).flatMap(Self.text) {
      self = .address(address)
      return
    }
    let name = host.lowercased()
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253,
      labels.allSatisfy({ label in
        1...63 ~= label.utf8.count
          && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
      }), labels.last?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) == false
    else { return nil }
    self = .name(name)
  }

  /// `DNS:localhost`, `IP:127.0.0.1`: as a configuration of OpenSSL writes it.
  var text: String {
    switch self {
    case .name(let name): "DNS:\(name)"
    case .address(let address): "IP:\(address)"
    }
  }

  package var description: String {
    switch self {
    case .name(let name): name
    case .address(let address): address
    }
  }

  /// Whether the local certificate authority may sign it.
  package var isLocal: Bool {
    switch self {
    case .name(let name): Self.domains.contains { name == $0 || name.hasSuffix(".\($0)") }
    case .address(let address): Self.bytes(of: address).map(Self.isLocal) ?? false
    }
  }

  // MARK: - What the local certificate authority is limited to

  /// The domains that no registry assigns (RFC 6761, 6.3; RFC 6762, 3).
  static let domains = ["localhost", "local"]

  /// Loopback, private and link-local addresses (RFC 1122, 3.2.1.3; RFC 1918; RFC 3927; RFC 4193; RFC 4291, 2.5.3 and 2.5.6),
  /// with their masks.
  static let networks = [
    ("127.0.0.0", "255.0.0.0"), ("10.0.0.0", "255.0.0.0"), ("172.16.0.0", "255.240.0.0"),
    ("192.168.0.0", "255.255.0.0"), ("169.254.0.0", "255.255.0.0"),
    ("::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("fc00::", "fe00::"), ("fe80::", "ffc0::"),
  ]

  private static func isLocal(_ address: [UInt8]) -> Bool {
    networks.contains { network, mask in
      guard let network = bytes(of: network), let mask = bytes(of: mask), network.count == address.count else {
        return false
      }
      return zip(address, mask).map { $0 & $1 } == network
    }
  }

  /// The 4 or 16 bytes of an address; `nil` if the string is not an address.
  private static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  private static func text(of address: [UInt8]) -> String? {
    var text = [CChar](repeating: 0, count: 64)
    guard inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, 64) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
