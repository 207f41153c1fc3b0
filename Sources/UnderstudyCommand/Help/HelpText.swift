/// The help of a command in parts, as ArgumentParser prints it.
struct HelpText {
  /// The paragraphs before the first section: the overview, the discussion, the usage.
  var head: [String] = []
  var sections: [Section] = []
  /// The paragraphs after the sections.
  var tail: [String] = []

  struct Section {
    /// In capitals: `OPTIONS`.
    var title: String
    var entries: [Entry]
  }

  /// An argument, an option or a subcommand.
  struct Entry {
    /// As printed; the first line is indented by two spaces, the others by more.
    var lines: [String]

    /// `-p, --port <port>`, and its description.
    var parts: (label: String, text: String) {
      let first = lines[0].drop { $0 == " " }
      let end = first.firstRange(of: "  ")?.lowerBound ?? first.endIndex
      let rest = [first[end...]] + lines.dropFirst().map { $0[...] }
      let words = rest.flatMap { $0.split(separator: " ") }
      return (String(first[..<end]), words.joined(separator: " "))
    }

    /// `--port`; `nil` for what is not an option.
    var option: String? {
      let label = parts.label
      return label.firstRange(of: "--").map { start in
        String(label[start.lowerBound...].prefix { $0 == "-" || $0.isLetter || $0.isNumber })
      }
    }
  }

  init(_ text: String) {
    var paragraph: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""] {
      guard line.isEmpty else {
        paragraph.append(line)
        continue
      }
      if !paragraph.isEmpty { add(paragraph) }
      paragraph = []
    }
  }

  private mutating func add(_ paragraph: [String]) {
    let title = paragraph[0]
    guard title.hasSuffix(":"), !title.hasPrefix(" "), !title.contains(where: \.isLowercase), paragraph.count > 1 else {
      let text = paragraph.joined(separator: "\n")
      if sections.isEmpty { head.append(text) } else { tail.append(text) }
      return
    }
    var entries: [Entry] = []
    for line in paragraph.dropFirst() {
      if line.hasPrefix("   "), let last = entries.indices.last {
        entries[last].lines.append(line)
      } else {
        entries.append(Entry(lines: [line]))
      }
    }
    sections.append(Section(title: String(title.dropLast()), entries: entries))
  }

  /// The words of the usage that name the command: `coverage merge`; `nil` if there is no usage.
  var command: String? {
    guard let usage = head.first(where: { $0.hasPrefix("USAGE: ") }) else { return nil }
    return usage.split(whereSeparator: \.isWhitespace).dropFirst(2).prefix { word in
      word.allSatisfy { $0.isLetter || $0 == "-" } && !word.hasPrefix("-")
    }.joined(separator: " ")
  }

  var text: String {
    let sections = sections.map { section in
      "\(section.title):\n" + section.entries.flatMap(\.lines).joined(separator: "\n")
    }
    return (head + sections + tail).joined(separator: "\n\n") + "\n"
  }
}
