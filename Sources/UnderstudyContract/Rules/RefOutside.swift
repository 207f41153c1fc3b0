extension Rule {
  package static var specRefOutside: Rule { LintRule.refOutside.rule }
}

extension LintRule {
  /// Checks `externalValue`; a `$ref` is reported when it is followed.
  static let refOutside = LintRule(
    "spec.ref.outside", .error, "A contract names a file outside the project folders",
    help: """
      A contract may come from others, and a mock shows its clients what it reads. Allowed are, after links are resolved, the \
      folders of the contract and of understudy.yaml, and the working directory, each with those below it, not `/`, the home \
      directory and folders above it; and the files and folders of `references`, which are all that a document at a URL may \
      name. `--allow-files FOLDER` or `allow-files` in understudy.yaml adds folders.
      """,
    .contract(
      """
      paths: {}
      components:
        examples:
          A: {externalValue: ↓/etc/passwd}
          B: {externalValue: no-such-folder/tom.json}
          C: {externalValue: ↓no-such-folder/../../tom.json}
          D: {externalValue: "https://example.com/tom.json"}
      """)
  ) { subject, rule in
    subject.all(.example).compactMap { node in
      guard let value = node["externalValue"], value.isString,
        let path = ReferenceResolver.location(of: URIReference(value.text), from: value.path),
        !URIReference(path).isRemote, let problem = subject.api.access.available(to: value.path).problem(of: path)
      else { return nil }
      return Diagnostic(
        rule, "the example `\(value.text)` is a file outside the project folders", at: value,
        help: problem.help)
    }
  }
}
