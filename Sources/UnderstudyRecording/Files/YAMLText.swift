/// Writes YAML (1.2) in block style, as people write it.
package struct YAMLText {
  private(set) var text = ""

  /// A value as the content of a document.
  package static func of(_ value: JSON) -> String {
    var writer = YAMLText()
    writer.write(value, indent: 0)
    return writer.text
  }

  mutating func comment(_ line: String, indent: Int = 0) {
    text += String(repeating: " ", count: indent) + "# \(VisibleText.line(line))\n"
  }

  mutating func line(_ line: String, indent: Int = 0) {
    text += String(repeating: " ", count: indent) + line + "\n"
  }

  private mutating func write(_ value: JSON, indent: Int) {
    switch value.kind {
    case .object:
      for member in value.members { write(Self.scalar(member.name) + ":", member.value, indent: indent) }
    case .array:
      for element in value.elements {
        guard (element.isObject || element.isArray) && element.count > 0 else {
          line("- " + Self.leaf(element), indent: indent)
          continue
        }
        var inner = YAMLText()
        inner.write(element, indent: indent + 2)
        // The first line starts behind the dash.
        text += String(repeating: " ", count: indent) + "- " + inner.text.dropFirst(indent + 2)
      }
    default: line(Self.leaf(value), indent: indent)
    }
  }

  private mutating func write(_ key: String, _ value: JSON, indent: Int) {
    guard (value.isObject || value.isArray) && value.count > 0 else {
      return line("\(key) \(Self.leaf(value))", indent: indent)
    }
    line(key, indent: indent)
    write(value, indent: indent + 2)
  }

  private static func leaf(_ value: JSON) -> String {
    switch value.kind {
    case .string: scalar(value.text)
    case .object: "{}"
    case .array: "[]"
    default: JSONWriter.text(value)
    }
  }

  /// A text without quotes if it cannot be read as anything else, else as JSON, which YAML 1.2 includes.
  package static func scalar(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || " /$()".utf8.contains($0) }
    let starts = text.utf8.first.map { byte in
      isLetter(byte) || [UInt8(ascii: "/"), UInt8(ascii: "$"), UInt8(ascii: "_")].contains(byte)
        // A number has no other letters than these.
        || 48...57 ~= byte && text.utf8.contains { isLetter($0) && !"abcdefxoABCDEFXO".utf8.contains($0) }
    }
    let isWord = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    guard isPlain, starts == true, !isWord, text.utf8.last != UInt8(ascii: " ") else {
      return JSONWriter.text(.string(text))
    }
    return text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
  }
}
