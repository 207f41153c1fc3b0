extension Rule {
  package static let exampleExternal = Rule(
    "example.external", .warning, owner: .contract, "The file that `externalValue` names is not there",
    help: "Its path counts from the file that names it. URLs of other machines are not tried.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          examples:
            A: {externalValue: ↓no-such-folder/tom.json}
            B: {externalValue: "https://example.com/tom.json"}
        """)
    ])
}

extension LintRule {
  static let exampleExternal = LintRule(.exampleExternal) { subject in
    subject.all(.example).compactMap { node in
      guard let value = node["externalValue"], value.isString else { return nil }
      guard let path = ReferenceResolver.location(of: URIReference(value.text), from: value.path) else {
        return Diagnostic(.exampleExternal, "`\(value.text)` holds a broken percent sequence", at: value)
      }
      if URIReference(path).isRemote || subject.options.fileExists(path) { return nil }
      return Diagnostic(.exampleExternal, "the file `\(path)` is not there", at: value)
    }
  }
}
