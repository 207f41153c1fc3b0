/// Tags of WireMock as tags of ours.
enum WireMockTemplate {
  /// - Parameter parameters: The `transformerParameters`, whose values are constants.
  static func translated(_ content: String, _ parameters: JSON?) throws(ForeignTemplate.Problem) -> String {
    let trimmed = content.split(separator: " ", omittingEmptySubsequences: true)
    guard let first = trimmed.first else { throw problem(content, "it has no name") }
    if first == "now" { return now(content) }
    if first == "xPath", trimmed.count >= 3 {
      guard trimmed[1] == "request.body", let (path, test) = ForeignPath.xPath(unquoted(String(trimmed[2]))),
        test == nil
      else {
        throw problem(content, "only plain XPaths are supported")
      }
      return "request.body.\(path.replacing("/text()", with: ""))"
    }
    if first == "random", trimmed.count == 2, let dot = trimmed[1].lastIndex(of: ".") {
      // The faker extension: `random 'Name.first_name'`.
      let words = unquoted(String(trimmed[1][trimmed[1].index(after: dot)...])).split(separator: "_")
      return
        "faker '\(words.prefix(1).joined())\(words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())'"
    }
    if first == "jsonPath", content.contains("default=") { throw problem(content, "use `default` around it") }
    return ForeignTemplate.replacingWords(in: content) { word in name(word, parameters) }
  }

  private static func name(_ word: String, _ parameters: JSON?) -> String? {
    if let name = word.split(separator: ".").last, word.hasPrefix("parameters."), let value = parameters?[String(name)]
    {
      return value.isString ? "'\(value.text)'" : JSONWriter.text(value)
    }
    for (theirs, ours) in [
      ("request.requestLine.method", "request.method"), ("request.requestLine.pathSegments.", "request.path."),
      ("request.requestLine.query.", "request.query."), ("request.requestLine.url", "request.url"),
      ("request.pathSegments.", "request.path."), ("request.requestLine.path.", "request.path."),
    ] where word.hasPrefix(theirs) {
      return ours + word.dropFirst(theirs.count)
    }
    return nil
  }

  /// `now` has whole seconds, `epoch` in milliseconds and `unix` in seconds.
  private static func now(_ content: String) -> String {
    if content.contains("format=") {
      return content.replacing("format='epoch'", with: "format=epoch-ms")
        .replacing("format=\"epoch\"", with: "format=epoch-ms").replacing("format='unix'", with: "format=epoch")
        .replacing("format=\"unix\"", with: "format=epoch")
    }
    return content + " format='%Y-%m-%dT%H:%M:%SZ'"
  }

  private static func unquoted(_ word: String) -> String { word.filter { !"'\"".contains($0) } }

  private static func problem(_ content: String, _ message: String) -> ForeignTemplate.Problem {
    ForeignTemplate.Problem(tag: "{{\(content)}}", message: message)
  }
}
