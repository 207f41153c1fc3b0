extension Diagnostic {
  /// A name without a value in a template.
  package init(_ name: FixtureTemplate.UnknownName, at location: Location) {
    self.init(
      .fixtureTemplateUnknown, "nothing gives `{{\(name.text)}}` a value, so it renders as nothing", at: location,
      help: name.help)
  }

  package init(unreadableTemplate problem: TextProblem, at location: Location) {
    self.init(
      .fixtureInvalid, "the template cannot be read: \(problem.message)", at: location, help: problem.help)
  }
}

extension Location {
  /// The location of a tag in a value of a file: the occurrence of its text with the same number as in the template.
  package init(ofTag tag: Range<Int>, in template: [UInt8], at node: JSON, _ source: SourceFile) {
    func places(in text: ArraySlice<UInt8>) -> [Int] {
      text.indices.filter { text[$0...].starts(with: template[tag]) }
    }
    guard let range = node.range, !tag.isEmpty else {
      self.init(start: node)
      return
    }
    let (earlier, found) = (places(in: template[..<tag.lowerBound]).count, places(in: source.bytes[range]))
    guard found.count > earlier else {
      self.init(node)
      return
    }
    self.init(source, found[earlier]..<found[earlier] + tag.count)
  }
}
