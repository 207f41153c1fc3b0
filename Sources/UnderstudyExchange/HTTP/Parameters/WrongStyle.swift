/// Recognises lists and objects written in another style than declared.
enum WrongStyle {
  /// Checks the single value of a list with repeated keys: JSON, a printed list, or items joined by commas.
  static func check(
    sole raw: ArraySlice<UInt8>, _ declaration: WireDeclaration, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) {
    // An item that is an object or a list is JSON text, which may contain commas.
    let element = declaration.element.types
    let text = (try? declaration.decode(raw)) ?? ""
    let isList = text.utf8.first == UInt8(ascii: "[")
    if element.isDisjoint(with: .primitive), !isList || element.contains(.array) { return }
    try check(json: raw, declaration)
    if let printed = PrintedList(text) {
      let sentence =
        "the \(declaration.label) holds a list as a program prints it; expected the key again for each item: "
        + "`\(declaration.name)=a&\(declaration.name)=b`"
      guard printed == .likely, element.contains(.string) else { throw declaration.problem(.style, sentence) }
      return notes.append(declaration.problem(.style, sentence + " (read as one item)", isRecovered: true))
    }
    let comma = UInt8(ascii: ",")
    guard raw.contains(comma), !raw.contains(UInt8(ascii: "+")), !raw.contains(UInt8(ascii: " ")) else { return }
    let parts = raw.parts(at: comma)
    let sentence =
      "the \(declaration.label) holds \(parts.count) items joined by commas; expected the key again for each: "
      + "`\(declaration.name)=a&\(declaration.name)=b`"
    // A comma may be part of a text, but not of a number.
    guard declaration.element.types.contains(.string) else { throw declaration.problem(.style, sentence) }
    notes.append(
      declaration.problem(.style, sentence + " (read as one item with commas in it)", isRecovered: true))
  }

  private enum PrintedList {
    /// `["a", "b"`, `[\"a\"]`, `['a']`, `Optional(["a"])`
    case certain
    /// `[a, b]`, `(a b)`: perhaps a word in brackets.
    case likely

    init?(_ text: String) {
      let text = text.utf8
      if ["[\"", "[\\\"", "['", "Optional("].contains(where: { text.starts(with: $0.utf8) }) {
        self = .certain
      } else if [("[", "]"), ("(", ")")].contains(where: { text.starts(with: $0.0.utf8) && text.last == $0.1.utf8.last }
      ) {
        self = .likely
      } else {
        return nil
      }
    }
  }

  /// Checks for JSON text in place of a list or an object in its style.
  static func check(json raw: ArraySlice<UInt8>, _ declaration: WireDeclaration) throws(DecodingProblem) {
    guard let text = try? declaration.decode(raw), let first = text.utf8.first,
      first == UInt8(ascii: "[") || first == UInt8(ascii: "{"), let value = try? JSONParser.parse(Array(text.utf8)).root
    else { return }
    let expected =
      declaration.explode
      ? "the key again for each item: `\(declaration.name)=a&\(declaration.name)=b`"
      : "one value with commas: `\(declaration.name)=a,b`"
    throw declaration.problem(
      .style, "the \(declaration.label) holds a JSON \(value.kindName) as text; expected \(expected)")
  }

  static func repeatedKey(_ declaration: WireDeclaration, _ delimiter: UInt8?) -> DecodingProblem {
    let shown = PercentEncoding.encode(String(decoding: [delimiter ?? UInt8(ascii: ",")], as: UTF8.self), keeping: ",")
    return declaration.problem(
      .style,
      "the \(declaration.label) repeats its key; expected one value: `\(declaration.name)=a\(shown)b`")
  }

  /// Explains an absent name by one with brackets or dots.
  static func explainAbsence(
    of declaration: WireDeclaration, in pairs: WirePairs, isDeclared: (String) -> Bool
  ) -> DecodingProblem? {
    let name = declaration.name
    // Few names begin with another, so that few are compared with all declarations.
    for item in pairs.items(below: name) {
      let sent = item.name
      guard let next = sent.utf8.dropFirst(name.utf8.count).first, !isDeclared(sent) else { continue }
      if next == UInt8(ascii: "[") {
        let expected = expected(instead: declaration)
        return DecodingProblem(
          .style, sent, "the \(declaration.label) was sent with brackets, as `\(sent)=`; expected \(expected)")
      }
      if next == UInt8(ascii: "."), declaration.forms.first == .object {
        return DecodingProblem(.style, sent, "the \(declaration.label) was sent with dots, as `\(sent)=`")
      }
    }
    return nil
  }

  private static func expected(instead declaration: WireDeclaration) -> String {
    let name = declaration.name
    switch (declaration.forms.first, declaration.explode) {
    case (.array?, true): return "the key alone, again for each item: `\(name)=a&\(name)=b`"
    case (.array?, false): return "the key alone, with one value: `\(name)=a,b`"
    case (.object?, true):
      let members = declaration.schema.properties.prefix(2).map { "\($0.name)=" }.joined(separator: "&")
      return "a key for each member, without `\(name)`" + (members.isEmpty ? "" : ": `\(members)`")
    case (.object?, false): return "the key alone, with alternating names and values: `\(name)=R,100,G,200`"
    default: return "the key alone: `\(name)=`"
    }
  }

  static func hint(for name: String, among names: [String], isDeclared: (String) -> Bool) -> String {
    let others = names.filter { !isDeclared($0) }
    if let other = others.first(where: { FieldSyntax.equalIgnoringCase($0.utf8, name.utf8) }) {
      return "; `\(other)` was sent, but names are case-sensitive"
    }
    return Suggestion.nearest(to: name, among: others.prefix(50)).map { "; `\($0)` was sent: was `\(name)` meant?" }
      ?? ""
  }
}
