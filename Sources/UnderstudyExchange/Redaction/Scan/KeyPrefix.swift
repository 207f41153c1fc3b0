struct KeyPrefix: Sendable {
  let text: [UInt8]
  /// The fewest characters after the prefix.
  let minimum: Int
  let alphabet: Alphabet

  enum Alphabet: Sendable {
    /// Letters and digits, `-` and `_`.
    case token
    /// Upper case and digits.
    case upper
    /// `token` and `.`
    case dotted
    /// Letters, digits, `.`, `/`, `$`, `,`, `=` and `+`: hashes of passwords.
    case crypt

    func contains(_ byte: UInt8) -> Bool {
      switch self {
      case .upper: 48...57 ~= byte || 65...90 ~= byte
      case .token: Entropy.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      case .dotted: Self.token.contains(byte) || byte == UInt8(ascii: ".")
      case .crypt: Entropy.isAlphanumeric(byte) || "./$,=+".utf8.contains(byte)
      }
    }
  }

  private init(_ text: String, _ minimum: Int, _ alphabet: Alphabet = .token) {
    self.text = Array(text.utf8)
    self.minimum = minimum
    self.alphabet = alphabet
  }

  private static let lengthLimit = 2_048

  /// The key that starts at a position, as the end of its prefix and of the key. Placeholders do not count.
  static func key(in bytes: [UInt8], at start: Int) -> (prefixEnd: Int, end: Int)? {
    for prefix in byFirst[Int(bytes[start])] where bytes[start...].starts(with: prefix.text) {
      let from = start + prefix.text.count
      let rest = bytes[from...].prefix(lengthLimit).prefix { prefix.alphabet.contains($0) }
      let end = rest.endIndex
      guard rest.count >= prefix.minimum, rest.count < lengthLimit, !isWord(rest) else { continue }
      return (from, end)
    }
    return nil
  }

  /// Keys have digits; a long text without any is a name that happens to start alike.
  private static func isWord(_ rest: ArraySlice<UInt8>) -> Bool { !rest.contains { 48...57 ~= $0 } }

  private static let byFirst: [[KeyPrefix]] = {
    var table = [[KeyPrefix]](repeating: [], count: 256)
    for prefix in all { table[Int(prefix.text[0])].append(prefix) }
    return table
  }()

  private static let all: [KeyPrefix] =
    ["AKIA", "ASIA", "ABIA", "ACCA"].map { KeyPrefix($0, 16, .upper) }
    + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"].map { KeyPrefix($0, 16) }
    + ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glagent-"].map { KeyPrefix($0, 16) }
    + ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xapp-"].map { KeyPrefix($0, 8) }
    + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "sk-proj-", "sk-ant-", "sk-or-"].map {
      KeyPrefix($0, 8)
    }
    + [
      KeyPrefix("sk-", 20), KeyPrefix("AIza", 30), KeyPrefix("ya29.", 16, .dotted), KeyPrefix("GOCSPX-", 16),
      KeyPrefix("1//0", 20), KeyPrefix("npm_", 30), KeyPrefix("pypi-AgE", 16), KeyPrefix("dop_v1_", 32),
      KeyPrefix("doo_v1_", 32), KeyPrefix("dor_v1_", 32), KeyPrefix("shpat_", 16), KeyPrefix("shpss_", 16),
      KeyPrefix("shpca_", 16), KeyPrefix("shppa_", 16), KeyPrefix("SG.", 32, .dotted), KeyPrefix("sq0atp-", 16),
      KeyPrefix("sq0csp-", 16), KeyPrefix("hf_", 30), KeyPrefix("glsa_", 24), KeyPrefix("glc_", 24),
      KeyPrefix("hvs.", 20, .dotted), KeyPrefix("hvb.", 20, .dotted), KeyPrefix("dckr_pat_", 16),
      KeyPrefix("NRAK-", 20), KeyPrefix("lin_api_", 24), KeyPrefix("figd_", 24), KeyPrefix("rubygems_", 32),
      KeyPrefix("ATATT3", 32), KeyPrefix("PMAK-", 24), KeyPrefix("pul-", 32), KeyPrefix("xkeysib-", 32),
      KeyPrefix("sntrys_", 32), KeyPrefix("dapi", 32), KeyPrefix("AGE-SECRET-KEY-1", 32, .upper),
      KeyPrefix("tskey-", 16), KeyPrefix("gsk_", 24), KeyPrefix("xai-", 32), KeyPrefix("pcsk_", 24),
      KeyPrefix("sbp_", 32), KeyPrefix("r8_", 32), KeyPrefix("key-", 32), KeyPrefix("secret_", 32),
      KeyPrefix("EAAA", 40), KeyPrefix("$2a$", 20, .crypt), KeyPrefix("$2b$", 20, .crypt),
      KeyPrefix("$2y$", 20, .crypt), KeyPrefix("$argon2", 20, .crypt), KeyPrefix("$6$", 20, .crypt),
      KeyPrefix("$5$", 20, .crypt), KeyPrefix("$pbkdf2", 20, .crypt), KeyPrefix("pbkdf2_sha256$", 20, .crypt),
    ]
}
