/// A name in a template: `request.body.items.0.name`, `this.nick`, `@index`.
struct TemplatePath: Sendable {
  /// The name as it is written.
  let text: String
  /// Its range in the template, which distinguishes it from other names with the same text.
  let range: Range<Int>
  /// The number of enclosing sections that `../` leaves.
  private(set) var levels = 0
  /// Whether the name belongs to one section alone: `this`, `./nick`, `../nick`.
  private(set) var isLocal = false
  private(set) var parts: [Part] = []

  struct Part: Sendable {
    let name: String
    /// The parts of a name with brackets, unless a value has the whole name: `items`, then `0`, for `items[0]`.
    var steps: [String] = []
    /// The query of a part such as `$.items[*].id`.
    var query: JSONPath?
  }

  /// - Parameter word: A word of the template without white space.
  /// - Throws: A problem of an invalid JSONPath.
  /// - Returns: `nil` for a word that is not a name.
  init?(_ template: [UInt8], _ word: Range<Int>) throws(TextProblem) {
    text = String(decoding: template[word], as: UTF8.self)
    range = word
    guard !word.isEmpty, !template[word].contains(where: { "{}()".utf8.contains($0) }) else { return nil }
    var rest = template[word]
    skipSections(&rest)
    while !rest.isEmpty {
      if isBody, let first = rest.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "$") {
        parts.append(try Self.pointer(rest))
        return
      }
      guard let part = Self.next(&rest) else { return nil }
      parts.append(part)
    }
  }

  /// Whether the name so far belongs to a body, into which pointers and queries lead.
  private var isBody: Bool { parts.count == 2 && parts[1].name == "body" && ["request", "response"].contains(root) }

  /// Reads `.`, `this`, `./` and `../`.
  private mutating func skipSections(_ rest: inout ArraySlice<UInt8>) {
    while rest.starts(with: "../".utf8) {
      (levels, isLocal, rest) = (levels + 1, true, rest.dropFirst(3))
    }
    for local in [".", "this", "..", "./", "this."] where rest.starts(with: local.utf8) {
      let isPrefix = local.utf8.count > 1 && local.utf8.last != UInt8(ascii: "s") && local != ".."
      guard isPrefix ? rest.count > local.utf8.count : rest.count == local.utf8.count else { continue }
      if local == ".." { levels += 1 }
      (isLocal, rest) = (true, rest.dropFirst(local.utf8.count))
      return
    }
  }

  /// A JSON pointer or a JSONPath, which may contain points.
  private static func pointer(_ rest: ArraySlice<UInt8>) throws(TextProblem) -> Part {
    let text = String(decoding: rest, as: UTF8.self)
    guard rest.first == UInt8(ascii: "$") else { return Part(name: text) }
    do throws(TextProblem) {
      return Part(name: text, query: try JSONPath(text))
    } catch {
      throw TextProblem(
        .syntax, "`\(text)` is not a JSONPath: \(error.message)", at: rest.startIndex..<rest.endIndex, help: error.help)
    }
  }

  /// The text up to the next point outside of brackets; `nil` if it is empty.
  private static func next(_ rest: inout ArraySlice<UInt8>) -> Part? {
    var end = rest.startIndex
    while end < rest.endIndex, rest[end] != UInt8(ascii: ".") {
      let close = rest[end] == UInt8(ascii: "[") ? rest[end...].firstIndex(of: UInt8(ascii: "]")) : nil
      end = (close ?? end) + 1
    }
    let word = rest[..<end]
    rest = rest[end...].dropFirst()
    // A point at the end has no name after it.
    guard !word.isEmpty, end == rest.endIndex || !rest.isEmpty else { return nil }
    var names: [String] = []
    var position = word.startIndex
    while position < word.endIndex {
      let isBracket = word[position] == UInt8(ascii: "[")
      let stop = word[position...].firstIndex(of: UInt8(ascii: isBracket ? "]" : "[")) ?? word.endIndex
      // Text after a bracket belongs to no step.
      if isBracket ? stop == word.endIndex : position > word.startIndex {
        names = []
        break
      }
      names.append(unquoted(word[(isBracket ? position + 1 : position)..<stop]))
      position = isBracket ? stop + 1 : stop
    }
    let text = String(decoding: word, as: UTF8.self)
    if names.count == 1 { return Part(name: names[0]) }
    return Part(name: text, steps: names)
  }

  private static func unquoted(_ text: ArraySlice<UInt8>) -> String {
    let isQuoted = text.count > 1 && text.first == text.last && "'\"".utf8.contains(text[text.startIndex])
    return String(decoding: isQuoted ? text.dropFirst().dropLast() : text, as: UTF8.self)
  }

  /// The first part of the name; empty for a section's own value.
  var root: String { isLocal ? "" : parts.first?.name ?? "" }

  /// The value of a request or a response that the name takes.
  var exchangeValue: (part: RequestPart, name: String)? {
    guard parts.count > 2, let part = RequestPart(inTemplate: parts[1].name), parts.allSatisfy({ $0.query == nil })
    else { return nil }
    guard part == .body, parts.count > 3 || !parts[2].steps.isEmpty else { return (part, parts[2].name) }
    let tokens = parts.dropFirst(2).flatMap { $0.steps.isEmpty ? [$0.name] : $0.steps }
    return (part, tokens.map { "/" + JSONPointer.escape($0) }.joined())
  }
}

extension RequestPart {
  /// The part of a name in a template, where two have a plural as well.
  init?(inTemplate name: String) {
    let singular = ["headers": "header", "cookies": "cookie", "pathSegments": "path"][name]
    self.init(rawValue: singular ?? name)
  }
}
