import Mustache

/// Why a template cannot be read, in words.
package struct FixtureTemplateProblem: Error, Sendable {
  package let message: String
  package let help: String?

  /// `text` is the template as it was written.
  init(_ error: any Error, in text: String) {
    let parsing = error as? MustacheTemplate.ParserError
    let (what, help) = Self.words(parsing?.error as? MustacheTemplate.Error)
    guard let number = parsing?.context.lineNumber else {
      message = what
      self.help = help
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = lines.indices.contains(number - 1) ? ": `\(lines[number - 1].prefix(80))`" : ""
    message = "\(what), in line \(number) of the body\(line)"
    self.help = help
  }

  private static func words(_ error: MustacheTemplate.Error?) -> (what: String, help: String?) {
    switch error {
    case .sectionCloseNameIncorrect:
      ("a section is closed by another name than it was opened with", "`{{#a}}` ends with `{{/a}}`")
    case .expectedSectionEnd: ("a section has no end", "`{{#a}}` ends with `{{/a}}`")
    case .unfinishedName, nil: ("a placeholder has no end or a bad name", "as in `{{request.body.chat}}`")
    case .invalidSetDelimiter: ("the change of delimiters is malformed", "as in `{{=<% %>=}}`")
    case .transformAppliedToInheritanceSection: ("an inherited section cannot be transformed", nil)
    case .illegalTokenInsideInheritSection, .textInsideInheritSection:
      ("a `{{<...}}` section may hold `{{$...}}` blocks only", nil)
    case .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
      ("`{{% ...}}` sets nothing that is known", "leave it out")
    }
  }
}
