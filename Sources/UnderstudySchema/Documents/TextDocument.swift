/// Reads a contract, a fixture or a config file in JSON or YAML.
package enum TextDocument {
  /// Reads a text that begins like JSON as JSON, since libyaml is slower and refuses escaped surrogate pairs.
  ///
  /// A `.json` file that begins like JSON must be JSON: `{"a": tru}` is valid YAML. All other texts that are not JSON
  /// are read as YAML, with any extension.
  package static func read(_ source: SourceFile) throws(TextProblem) -> JSONDocument {
    guard beginsLikeJSON(source.bytes) else { return try YAMLReader.parse(source) }
    do {
      return try JSONParser.parse(source)
    } catch {
      if isNamedJSON(source.path) || error.kind == .limit || error.kind == .encoding { throw error }
      return try YAMLReader.parse(source)
    }
  }

  private static func beginsLikeJSON(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: UTF8Check.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func isNamedJSON(_ path: String) -> Bool {
    path.lowercased().utf8.suffix(5).elementsEqual(".json".utf8)
  }
}
