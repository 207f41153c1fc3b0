/// Converts the errors of libyaml to messages with the problem, the expected text and advice.
enum YAMLWording {
  /// A problem of the scanner or parser; `context` is the start of the construct that it was reading.
  static func problem(
    _ problem: String, at position: Int, context: Int?, while activity: String, in source: SourceFile
  ) -> TextProblem {
    let start = context.map { "starts in line \(source.lineNumber(of: $0))" } ?? "is open"
    func syntax(_ message: String, at offset: Int = position, help: String? = nil) -> TextProblem {
      TextProblem(.syntax, message, at: source.character(at: offset), help: help)
    }
    let found = Self.found(at: position, in: source)

    switch problem {
    case "found character that cannot start any token": return badStart(position, source)
    case "could not find expected ':'":
      return syntax(
        "expected `:` after this key", at: context ?? position,
        help: "write a key and its `: ` in one line; text over several lines needs quotes, `|` or deeper indentation")
    case "mapping values are not allowed in this context":
      return syntax(
        "a `:` after a key is not allowed here",
        help: "quote a value that contains `: `, or check the indentation of this line")
    case "mapping keys are not allowed in this context", "block sequence entries are not allowed in this context":
      return syntax(
        "\(found) is not allowed to start \(problem.hasPrefix("mapping") ? "a key" : "a list item") here",
        help: "start it on a new line, indented like its siblings")
    case "did not find expected key":
      return syntax(
        "expected a key of the mapping that \(start), found \(found)",
        help: "keys of one mapping start in the same column; check the indentation, and quotes inside a quoted value")
    case "did not find expected '-' indicator":
      return syntax(
        "expected a `- ` of the list that \(start), found \(found)",
        help: "the items of one list start in the same column; check the indentation")
    case "did not find expected ',' or '}'":
      return syntax(
        "expected `,` or `}` of the mapping that \(start), found \(found)", help: "close it with `}`, or quote the text"
      )
    case "did not find expected ',' or ']'":
      return syntax(
        "expected `,` or `]` of the list that \(start), found \(found)", help: "close it with `]`, or quote the text")
    case "did not find expected node content":
      return syntax("expected a value, found \(found)", help: "quote text that starts with a character special to YAML")
    case "found unexpected end of stream":
      return syntax("a quoted string is not closed", at: context ?? position, help: "add the closing quote")
    case "found unexpected document indicator":
      return syntax("a quoted string is not closed before the document ends", at: context ?? position)
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return syntax(
        "a string in double quotes contains an unknown escape",
        help: "write `\\\\` for a backslash, or use single quotes")
    case "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      var tab = syntax("expected spaces, found a tab", help: "indent with spaces only")
      tab.isTabInBlockScalar = activity == "while scanning a block scalar"
      return tab
    case "did not find expected <document start>":
      return syntax("expected the end of the text, found \(found)", help: "a YAML text has one value")
    case "did not find expected alphabetic or numeric character":
      return syntax(
        "expected a name of letters, digits, `-` and `_`, found \(found)",
        help: "quote text that starts with `*` or `&`, which mark aliases and anchors")
    case "found unknown directive name", "could not find expected directive name":
      return syntax(
        "expected %YAML or %TAG; no other line may start with `%`", at: context ?? position,
        help: "quote text that starts with `%`")
    case "found undefined tag handle": return syntax("a tag uses a prefix that no %TAG line declares")
    case "found incompatible YAML document": return syntax("the %YAML line names a version other than 1.1 and 1.2")
    default: return syntax((activity.isEmpty ? "" : activity + ": ") + problem)
    }
  }

  /// A character that YAML does not allow (section 5.1).
  static func forbiddenCharacter(_ value: Int32, at offset: Int) -> TextProblem {
    let hex = String(value, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
    return TextProblem(
      .syntax, "the character U+\(padded) is not allowed in YAML", at: offset..<offset + 1,
      help: "remove it; in double quotes it can be written as \\u\(padded)")
  }

  private static func badStart(_ position: Int, _ source: SourceFile) -> TextProblem {
    let range = source.character(at: position)
    guard position < source.bytes.count, source.bytes[position] != UInt8(ascii: "\t") else {
      return TextProblem(.syntax, "expected spaces, found a tab", at: range, help: "indent with spaces only")
    }
    return TextProblem(
      .syntax, "a value cannot start with \(found(at: position, in: source))", at: range,
      help: "quote text that starts with a character special to YAML")
  }

  private static func found(at offset: Int, in source: SourceFile) -> String {
    guard offset < source.bytes.count else { return "the end of the text" }
    switch source.bytes[offset] {
    case 0x0A, 0x0D: return "the end of the line"
    case 0x09: return "a tab"
    case 0x20: return "a space"
    default: return UTF8Check.quoted(at: offset, in: source.bytes)
    }
  }
}
