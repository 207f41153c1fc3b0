/// Finds secrets in elements and hidden inputs: `<token>...</token>`, `<input name="csrf" value="...">`.
struct MarkupScan {
  private let bytes: [UInt8]
  /// Whether the contract names a member as a secret, whose value it does not list.
  private let isSecretMember: (String, ArraySlice<UInt8>?) -> Bool
  private(set) var spans: [TextScan.Span] = []

  init(_ bytes: [UInt8], isSecretMember: @escaping (String, ArraySlice<UInt8>?) -> Bool) {
    self.bytes = bytes
    self.isSecretMember = isSecretMember
    scan()
  }

  private static let tagLimit = 2_000

  private mutating func scan() {
    var (position, end) = (0, 0)
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start + 1
      guard position < bytes.count, Entropy.isAlphanumeric(bytes[position]) else { continue }
      if end < position { end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count }
      guard end < bytes.count else { return }
      guard end - position <= Self.tagLimit else { continue }
      let tag = bytes[position..<end]
      let name = tag.prefix { !FieldSyntax.isBlank($0) && $0 != UInt8(ascii: "/") && $0 != 0x0A && $0 != 0x0D }
      position = end + 1
      scanAttributes(tag.dropFirst(name.count))
      scanElement(name, from: end + 1)
    }
  }

  private mutating func scanElement(_ name: ArraySlice<UInt8>, from start: Int) {
    let local = name.split(separator: UInt8(ascii: ":")).last ?? name
    let text = String(decoding: local.suffix(64), as: UTF8.self)
    let strength = SecretNames.strength(of: text, as: .member)
    guard isSecretMember(text, nil) || strength == .strong || SecretNames.isPIN(text) else { return }
    var from = start
    var form = TextScan.Form.markup
    if bytes[from...].starts(with: "<![CDATA[".utf8) { (from, form) = (from + 9, .plain) }
    guard let end = bytes[from...].firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "]") }) else {
      return
    }
    let closer = bytes[end...].starts(with: "]]>".utf8) ? end + 3 : end
    guard bytes[closer...].starts(with: Array("</".utf8) + name) else { return }
    let value = bytes[from..<end]
    let isMarked = isSecretMember(text, value)
    let isWeak = strength != .strong && !isMarked
    guard !isWeak || SecretNames.isCredential(value, weaklyNamed: text, inURL: false) else { return }
    spans.append(.init(range: from..<end, rule: isMarked ? .redactSchema : .redactMember, form: form))
  }

  private mutating func scanAttributes(_ tag: ArraySlice<UInt8>) {
    var isSecret = false
    var value: Range<Int>?
    var position = tag.startIndex
    while let equals = tag[position...].firstIndex(of: UInt8(ascii: "=")) {
      position = equals + 1
      let name = tag[..<equals].suffix(32).reversed().prefix { Entropy.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      guard let quote = tag[position...].first, TextScan.isQuote(quote),
        let end = tag[(position + 1)...].firstIndex(of: quote)
      else { continue }
      let range = position + 1..<end
      position = end + 1
      if isSecretMember(String(decoding: Array(name.reversed()), as: UTF8.self), tag[range]) {
        spans.append(.init(range: range, rule: .redactSchema, form: .markup))
      }
      switch FieldSyntax.lowercased(Array(name.reversed())) {
      case "name", "id", "property", "http-equiv":
        let text = String(decoding: tag[range].suffix(64), as: UTF8.self)
        isSecret = isSecret || SecretNames.strength(of: text, as: .member) == .strong
      case "value", "content": value = range
      default: break
      }
    }
    if isSecret, let value { spans.append(.init(range: value, rule: .redactMember, form: .markup)) }
  }
}
