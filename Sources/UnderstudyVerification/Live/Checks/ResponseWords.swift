/// What a refusal or a failure says in the server's own words, without the parts that differ from request to request:
/// quoted values, numbers, and what the request itself has.
///
/// Requests with the same words have the same cause.
enum ResponseWords {
  /// The bytes of a complaint that are looked at.
  private static let limit = 400
  private static let wordLimit = 40
  /// The bytes of a page or a text that are searched for the line that matters.
  private static let sourceLimit = 65_536

  static func of(_ answer: Exchange.Response, to call: LiveCall) -> String {
    let text = complaint(LinkValue(call, answer).body, answer.body.bytes)
    let fields = call.draft.arguments.filter { $0.parameter.location == .header }.map(\.value.plainText)
    let texts = [Array(call.wire.target.utf8.prefix(2_000)), Array(call.wire.body.prefix(4_000))]
    let sent = (texts + fields.map { Array($0.utf8.prefix(2_000)) }).flatMap { bytes in
      // A server says what it decoded.
      [bytes, PercentEncoding.decodeBytes(bytes[...], plusIsSpace: true) ?? []]
    }
    let asked = sent.flatMap { Self.words(of: String(decoding: $0, as: UTF8.self), keepsQuoted: true) }
    let own = Set(asked.filter { $0.utf8.count > 1 && $0 != "null" })
    let words = Self.words(of: String(decoding: text.utf8.prefix(limit), as: UTF8.self)).reduce(into: []) {
      (words: inout [String], word) in
      let word = own.contains(word) ? "_" : word
      if word != "_" || words.last != "_" { words.append(word) }
    }
    return once(words.prefix(wordLimit)).joined(separator: " ")
  }

  /// The words without repetitions: a server may complain about every item of a list.
  private static func once(_ words: ArraySlice<String>) -> ArraySlice<String> {
    let lengths = words.isEmpty ? [] : Array(1...words.count)
    let period = lengths.first { length in
      words.count % length == 0 && zip(words, words.dropFirst(length)).allSatisfy { $0 == $1 }
    }
    return words.prefix(period ?? 0)
  }

  /// Whether words say no more than that something failed.
  static func areGeneral(_ words: String) -> Bool {
    words.split(separator: " ").allSatisfy { general.contains($0.lowercased()) }
  }

  private static let general: Set<String> = [
    "_", "internal", "server", "error", "internalservererror", "bad", "request", "unprocessable", "entity", "content",
    "false", "none", "null", "an", "unexpected", "occurred", "something", "went", "wrong", "unknown", "exception",
    "encountered", "the", "title", "status", "code", "invalid", "validation", "failed", "failure", "http",
  ]

  /// The message of an error: the usual members, the end of a stack trace, the title of a page, or its start.
  private static func complaint(_ json: JSON?, _ body: [UInt8]) -> String {
    guard let json else { return plain(String(decoding: body.prefix(sourceLimit), as: UTF8.self)) }
    if json.isString { return plain(json.text) }
    var texts: [String] = []
    var pending = [json]
    while let value = pending.popLast(), texts.count < 10 {
      for member in value.members.prefix(50) {
        if member.value.isString, isOfComplaint(member.name.lowercased()) { texts.append(plain(member.value.text)) }
        if !member.value.isString { pending.append(member.value) }
      }
      pending += value.elements.prefix(10).filter { !$0.isString }
      texts += value.elements.prefix(3).filter(\.isString).map { plain($0.text) }
    }
    return texts.unique().joined(separator: " ")
  }

  private static let names: Set<String> = [
    "message", "msg", "detail", "details", "error", "title", "type", "code", "reason", "description",
    "exception", "error_description", "errors",
  ]

  /// Whether a member has a complaint by its name: `message`, `exception_message`, `httpError`.
  private static func isOfComplaint(_ name: String) -> Bool {
    names.contains(name) || ["message", "error", "exception", "reason"].contains(where: name.hasSuffix)
  }

  private static func plain(_ text: String) -> String {
    if let trace = text.firstRange(of: "Traceback (most recent call last)") {
      let lines = text[trace.lowerBound...].split(separator: "\n")
      let last = lines.dropFirst().first { line in
        line.utf8.first.map { $0 != 0x20 && $0 != UInt8(ascii: "<") } ?? false
      }
      if let last { return String(last) }
    }
    for name in ["title", "h1"] {
      guard let open = text.firstRange(of: "<\(name)>"), let close = text[open.upperBound...].firstRange(of: "</")
      else { continue }
      return String(text[open.upperBound..<close.lowerBound])
    }
    return text
  }

  /// The words of a text; a quoted part, a number, an address and a name with digits are `_`.
  private static func words(of text: String, keepsQuoted: Bool = false) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func end() {
      defer { word = [] }
      guard !word.isEmpty else { return }
      let isVariable = !keepsQuoted && word.contains { 48...57 ~= $0 }
      let text = isVariable ? "_" : String(decoding: word, as: UTF8.self)
      if text != "_" || words.last != "_" { words.append(text) }
    }
    let bytes = Array(text.utf8)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      // Not the apostrophe of `can't`.
      let isQuote = "`\"'".utf8.contains(byte) && word.isEmpty
      if !keepsQuoted, isQuote, let close = bytes[(position + 1)...].firstIndex(of: byte) {
        end()
        if words.last != "_" { words.append("_") }
        position = close + 1
        continue
      }
      if 48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte || byte >= 0x80 || "_-.'".utf8.contains(byte) {
        word.append(byte)
      } else {
        end()
      }
      position += 1
    }
    end()
    return words
  }
}
