extension LintRule {
  package static let exampleExternal = LintRule(
    "example.external", .warning, "The file of an `externalValue` does not exist or is not a regular file",
    help: "A path is relative to the file that names it. URLs of other machines are not checked.",
    .contract(
      """
      paths: {}
      components:
        examples:
          A: {externalValue: ↓no-such-folder/tom.json}
          B: {externalValue: "https://example.com/tom.json"}
      """)
  ) { subject, rule in
    subject.all(.example).compactMap { node in
      guard let value = node["externalValue"], value.isString else { return nil }
      guard let path = ReferenceResolver.location(of: URIReference(value.text), from: value.path) else {
        return Diagnostic(rule, "`\(value.text)` has invalid percent-encoding", at: value)
      }
      // Another rule reports a file that may not be read, whether it exists or not.
      guard !URIReference(path).isRemote, subject.api.access.available(to: value.path).allows(path) else { return nil }
      guard subject.options.fileExists(path) else {
        return Diagnostic(rule, "the file `\(path)` does not exist", at: value)
      }
      guard let status = FileStatus(of: path), status.kind != .regular else { return nil }
      let found = status.kind == .folder ? "a folder" : "a pipe, socket or device"
      return Diagnostic(rule, "`\(path)` cannot be read: expected a regular file, found \(found)", at: value)
    }
  }
}
