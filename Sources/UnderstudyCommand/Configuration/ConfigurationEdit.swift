package import UnderstudyVerification

/// Adds contracts to the text of an `understudy.yaml`; comments, order and layout stay as they are.
package struct ConfigurationEdit {
  /// An entry of `contracts`: a file and, if the name of the file is taken, a name.
  package struct Entry: Equatable {
    package let file: String
    package let name: String?

    package init(file: String, name: String?) {
      self.file = file
      self.name = name
    }

    var text: String {
      let file = JSONWriter.text(.string(file))
      return name.map { "{name: \(JSONWriter.text(.string($0))), file: \(file)}" } ?? file
    }
  }

  /// The text with the entries added at the end of the list; `nil` if its form is not supported.
  package static func adding(_ entries: [Entry], to source: SourceFile) -> [UInt8]? {
    guard let document = try? TextDocument.read(source) else { return nil }
    let root = document.root
    if root.isNull || (root.isObject && root["contracts"] == nil) {
      let gap = source.bytes.isEmpty || source.bytes.last == UInt8(ascii: "\n") ? "" : "\n"
      return checked(source.bytes + Array((gap + "contracts:\n" + lines(entries, "  ")).utf8), entries, root)
    }
    guard let node = root["contracts"], let range = node.range else { return nil }
    let items = entries.map(\.text).joined(separator: ", ")
    let edit: TextEdit
    if node.isNull {
      edit = TextEdit(range.upperBound..<range.upperBound, Array(" [\(items)]".utf8))
    } else if !node.isArray {
      let old = String(decoding: source.bytes[range], as: UTF8.self)
      edit = TextEdit(range, Array("[\(old), \(items)]".utf8))
    } else if source.bytes[range].first == UInt8(ascii: "[") {
      guard let end = source.bytes[range].lastIndex(of: UInt8(ascii: "]")) else { return nil }
      edit = TextEdit(end..<end, Array(((node.count == 0 ? "" : ", ") + items).utf8))
    } else {
      guard let last = Array(node.elements).last?.range else { return nil }
      let lineEnd = source.bytes[max(last.lowerBound, last.upperBound - 1)...].firstIndex(of: UInt8(ascii: "\n"))
      let indentation = String(decoding: blanks(before: range.lowerBound, in: source.bytes), as: UTF8.self)
      let position = lineEnd.map { $0 + 1 } ?? source.bytes.count
      edit = TextEdit(
        position..<position, Array(((lineEnd == nil ? "\n" : "") + lines(entries, indentation)).utf8))
    }
    return checked(TextEdit.apply([edit], to: source.bytes), entries, root)
  }

  private static func lines(_ entries: [Entry], _ indentation: String) -> String {
    entries.map { "\(indentation)- \($0.text)\n" }.joined()
  }

  /// The blanks between a position and the start of its line.
  private static func blanks(before position: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
    let start = text[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return text[start..<position].prefix { $0 == 0x20 }
  }

  /// The text, if it has the old content and the entries at the end: YAML has many forms, so the result is read again.
  private static func checked(_ text: [UInt8], _ entries: [Entry], _ old: JSON) -> [UInt8]? {
    guard let root = try? TextDocument.read(SourceFile(path: "understudy.yaml", bytes: text)).root else { return nil }
    let added = (root["contracts"].map { Array($0.elements) } ?? []).suffix(entries.count).map {
      Entry(file: $0.string ?? $0["file"]?.string ?? "", name: $0["name"]?.string)
    }
    let before = old["contracts"].map { $0.isArray ? $0.count : $0.isNull ? 0 : 1 } ?? 0
    let others = old.members.filter { $0.name != "contracts" }
    guard Array(added) == entries, root["contracts"]?.count == before + entries.count,
      others.allSatisfy({ root[$0.name] == $0.value })
    else { return nil }
    return text
  }
}
