import UnderstudyVerification

/// Finds the contract of a page that shows it (Swagger UI, Redoc, RapiDoc, Scalar, Stoplight Elements), or of the script or
/// configuration of such a page.
struct ContractPage {
  /// The URLs of contracts, or of configurations, in document order.
  private(set) var contracts: [String] = []
  /// The URLs of scripts that may name the contract.
  private(set) var scripts: [String] = []
  /// A contract inside the page.
  private(set) var embedded: [UInt8]?

  private let url: URIReference
  private let text: [UInt8]

  /// The number of bytes that are searched: some pages include a viewer of a megabyte.
  private static let limit = 8 << 20

  init(_ answer: DocumentFetcher.Answer) {
    self.init(answer.bytes, at: answer.url, links: answer.links)
  }

  /// - Parameter links: The values of the field `Link`.
  init(_ bytes: [UInt8], at url: String, links: [String] = []) {
    self.url = URIReference(url)
    text = Array(bytes.prefix(Self.limit))
    // The description of a service (RFC 8631, 4.1).
    for link in links where link.contains("service-desc") {
      if let start = link.firstIndex(of: "<"), let end = link.firstIndex(of: ">"), start < end {
        add(String(link[link.index(after: start)..<end]), to: \.contracts)
      }
    }
    if let root = try? JSONParser.parse(text).root {
      addConfiguration(root)
      return
    }
    for (key, mark) in Self.keys {
      for value in values(of: key, mark) { add(value, to: \.contracts) }
    }
    for call in ["Redoc.init(", "redoc.init("] { for value in arguments(of: call) { add(value, to: \.contracts) } }
    for value in serviceDescriptions() { add(value, to: \.contracts) }
    for key in ["swaggerDoc", "spec", "content"] where embedded == nil { embedded = document(of: key) }
    guard Self.isMarkup(text) else { return }
    for value in values(of: "src", UInt8(ascii: "=")) where isInitializer(value) { add(value, to: \.scripts) }
  }

  /// Whether a text is HTML or XML.
  static func isMarkup(_ bytes: [UInt8]) -> Bool {
    bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "<")
  }

  /// Attributes and members that name a contract, the most specific first.
  private static let keys: [(String, UInt8)] = [
    ("spec-url", UInt8(ascii: "=")), ("data-url", UInt8(ascii: "=")), ("apiDescriptionUrl", UInt8(ascii: "=")),
    ("specUrl", UInt8(ascii: ":")), ("configUrl", UInt8(ascii: ":")), ("url", UInt8(ascii: ":")),
  ]

  /// Whether a script can name the contract. The viewer itself is large and does not.
  private func isInitializer(_ source: String) -> Bool {
    let name = Path.name(of: URIReference(source).path).lowercased()
    return name.hasSuffix(".js") && !name.contains("bundle") && !name.contains("preset") && !name.contains("standalone")
      && URIReference(source).resolved(against: url).isSameOrigin(as: url)
  }

  /// Reads the document of `configUrl`: `url`, or `urls` with names.
  private mutating func addConfiguration(_ root: JSON) {
    for value in [root["url"]] + (root["urls"]?.elements.map { $0["url"] } ?? []) {
      if let text = value?.string { add(text, to: \.contracts) }
    }
  }

  private mutating func add(_ written: String, to list: WritableKeyPath<ContractPage, [String]>) {
    let written = written.replacing("\\/", with: "/").replacing("&amp;", with: "&")
    let reference = URIReference(written)
    let isOther = ["js", "css", "png", "svg", "html", "map"].contains(Path.fileExtension(of: reference.path))
    guard !written.isEmpty, list == \.scripts || !isOther, reference.scheme == nil || reference.isRemote,
      written.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "{") })
    else { return }
    let resolved = reference.resolved(against: url).withoutFragment.description
    if !self[keyPath: list].contains(resolved) { self[keyPath: list].append(resolved) }
  }

  // MARK: - Reading

  /// The quoted values of a key: `key="..."`, `"key": '...'`, `\"key\":\"...\"`.
  private func values(of key: String, _ mark: UInt8) -> [String] {
    places(of: Array(key.utf8)).compactMap { end in
      var position = end
      while position < text.count, Self.isQuote(text[position]) { position += 1 }
      position = afterBlanks(position)
      guard position < text.count, text[position] == mark else { return nil }
      return quoted(at: afterBlanks(position + 1))
    }
  }

  private func arguments(of call: String) -> [String] {
    places(of: Array(call.utf8)).compactMap { quoted(at: afterBlanks($0)) }
  }

  /// `<link rel="service-desc" href="...">`
  private func serviceDescriptions() -> [String] {
    places(of: Array("service-desc".utf8)).compactMap { place in
      guard let start = text[..<place].lastIndex(of: UInt8(ascii: "<")),
        let end = text[place...].firstIndex(of: UInt8(ascii: ">"))
      else { return nil }
      return ContractPage(tag: Array(text[start..<end])).values(of: "href", UInt8(ascii: "=")).first
    }
  }

  private init(tag: [UInt8]) {
    url = URIReference("")
    text = tag
  }

  /// The contract that is the value of a key, as NestJS and `redoc-cli` write it, or its member `data`.
  private func document(of key: String) -> [UInt8]? {
    for end in places(of: Array(key.utf8)) {
      var position = end
      while position < text.count, Self.isQuote(text[position]) { position += 1 }
      position = afterBlanks(position)
      guard position < text.count, text[position] == UInt8(ascii: ":") || text[position] == UInt8(ascii: "=") else {
        continue
      }
      position = afterBlanks(position + 1)
      guard let range = object(at: position), let root = try? JSONParser.parse(Array(text[range])).root else {
        continue
      }
      let contract = root["data"].flatMap { ContractDocument.isContract($0) ? $0 : nil } ?? root
      if ContractDocument.isContract(contract) { return JSONWriter.bytes(contract, .pretty) }
    }
    return nil
  }

  /// The ends of all occurrences of a whole word.
  private func places(of word: [UInt8]) -> [Int] {
    text.ranges(of: word).compactMap { range in
      if let before = range.lowerBound > 0 ? text[range.lowerBound - 1] : nil, Self.isName(before) { return nil }
      return range.upperBound
    }
  }

  private func afterBlanks(_ position: Int) -> Int {
    text[min(position, text.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? text.count
  }

  /// A text in single or double quotes, which may be escaped, on one line.
  private func quoted(at position: Int) -> String? {
    var start = position
    while start < text.count, text[start] == UInt8(ascii: "\\") { start += 1 }
    guard start < text.count, text[start] == UInt8(ascii: "\"") || text[start] == UInt8(ascii: "'"),
      let end = text[(start + 1)...].prefix(2_000).firstIndex(where: { $0 == text[start] || $0 == 0x0A })
    else { return nil }
    var value = text[(start + 1)..<end]
    while value.last == UInt8(ascii: "\\") { value.removeLast() }
    return String(decoding: value, as: UTF8.self)
  }

  /// The range of an object up to the matching brace.
  private func object(at start: Int) -> Range<Int>? {
    guard start < text.count, text[start] == UInt8(ascii: "{") else { return nil }
    var depth = 0
    var isText = false
    var position = start
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\\") where isText: position += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: depth += 1
      case UInt8(ascii: "}") where !isText:
        depth -= 1
        if depth == 0 { return start..<position + 1 }
      default: break
      }
      position += 1
    }
    return nil
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "$"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
