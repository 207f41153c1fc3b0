/// Replaces personal data by fakes in JSON, forms and URLs of exchanges, before anything of them is stored.
struct PersonalReplacer: Sendable {
  /// The fakes of the values that a name has shown; they are replaced elsewhere too.
  private var known: [String: String] = [:]
  private var fakes: Set<String> = []
  private(set) var counts: [PersonalKind: Int] = [:]
  private let formats: PersonalFormats

  /// Shorter values are replaced only where a name shows what they are, in bytes.
  private static let knownLength = 5
  private static let knownLimit = 100_000

  init(_ formats: PersonalFormats = PersonalFormats()) { self.formats = formats }

  mutating func replaced(_ entry: Exchange) -> Exchange {
    var entry = entry
    entry.requestBody = replaced(entry.requestBody, entry.requestFields.first(named: "content-type"))
    if let response = entry.response {
      entry.response?.body = replaced(response.body, response.fields.first(named: "content-type"))
    }
    entry.url = url(entry.url)
    return entry
  }

  /// Whether a value replaces another one.
  func isFake(_ value: String) -> Bool { fakes.contains(value) }

  /// A message of a socket, in JSON, without personal data.
  mutating func replaced(message: [UInt8]) -> [UInt8] { bytes(message, nil) ?? message }

  private mutating func replaced(_ body: ExchangeBody, _ type: String?) -> ExchangeBody {
    self.bytes(body.bytes, type.flatMap { MediaRange($0) }).map { body.replacing(with: $0) } ?? body
  }

  /// `nil` where nothing changes.
  private mutating func bytes(_ bytes: [UInt8], _ type: MediaRange?) -> [UInt8]? {
    if let root = try? JSONParser.parse(SourceFile(path: "", bytes: bytes)).root, root.isObject || root.isArray {
      var edits = TextEdits(bytes)
      for found in PersonalScan.strings(of: root, by: formats) {
        guard let range = found.node.range, let fake = fake(of: found) else { continue }
        edits.replace(range, with: JSONWriter.bytes(.string(fake)))
      }
      return edits.result
    }
    if type?.essence.hasPrefix("text/") == true {
      // A plain text may be a stack as a whole; of a page only the names in paths are replaced.
      guard let text = String(validating: bytes, as: UTF8.self), let kind = PersonalKind.of(text, named: "") else {
        return nil
      }
      let fake = PersonalFake.of(text, kind == .traceback && type?.essence != "text/plain" ? .path : kind)
      guard fake != text else { return nil }
      counts[kind, default: 0] += 1
      return Array(fake.utf8)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard type?.essence == "application/x-www-form-urlencoded" else { return nil }
    let changed = pairs(text)
    return changed == text ? nil : Array(changed.utf8)
  }

  private mutating func fake(of found: PersonalScan.Found) -> String? {
    let value = found.node.text
    guard let kind = found.kind else { return known[value] }
    return fake(of: value, kind)
  }

  private mutating func fake(of value: String, _ kind: PersonalKind) -> String {
    counts[kind, default: 0] += 1
    let fake = PersonalFake.of(value, kind)
    if fake != value, fakes.count < Self.knownLimit { fakes.insert(fake) }
    if value.utf8.count >= Self.knownLength, known.count < Self.knownLimit { known[value] = fake }
    return fake
  }

  private mutating func url(_ url: String) -> String {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
      guard let value = PercentEncoding.decode(String(segment)) else { return String(segment) }
      if PersonalKind.isEmail(value) { return PercentEncoding.encode(fake(of: value, .email), keeping: "@") }
      return known[value].map { PercentEncoding.encode($0, keeping: "") } ?? String(segment)
    }.joined(separator: "/")
    return path + (parts.count > 1 ? "?" + pairs(String(parts[1])) : "")
  }

  /// `name=value&...`
  private mutating func pairs(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let name = PercentEncoding.decode(parts[0]),
        let value = PercentEncoding.decode(parts[1].replacing("+", with: " "))
      else { return String(pair) }
      let fake = PersonalKind.of(value, named: name, by: formats).map { self.fake(of: value, $0) } ?? known[value]
      return fake.map { parts[0] + "=" + PercentEncoding.encode($0, keeping: "") } ?? String(pair)
    }.joined(separator: "&")
  }
}
