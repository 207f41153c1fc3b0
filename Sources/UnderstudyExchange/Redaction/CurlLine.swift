package struct CurlLine: Sendable {
  package var method: String
  package var url: String
  package var fields: HTTPFields
  package var body: Body

  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A body that is too long for a line: the user stores it in a file `body`.
    case file
  }

  package init(method: String, url: String, fields: HTTPFields, body: Body) {
    (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
  }

  /// The longest body of a recording that is written into a line, in bytes.
  package static let bodyLimit = 2048

  package func text(_ quoting: ShellQuoting = ShellQuoting()) -> String {
    var words = ["curl -i"]
    switch (method, body) {
    case ("GET", .none): break
    case ("HEAD", .none): words = ["curl --head"]
    default: words.append("-X \(quoting.word(method))")
    }
    // Without -g, curl reads brackets and braces as patterns.
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("-g") }
    words.append(quoting.word(url))
    let form = formOptions(quoting)
    // curl writes the type of a form, with a boundary of its own.
    for field in fields where !Self.isImplied(field) && !(form != nil && field.name == .contentType) {
      // curl drops a field without a value; with a semicolon it sends the field empty.
      words.append(
        "-H "
          + quoting.quoted(
            field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)",
            isCredential: SecretNames.isCredential(header: field.name.rawName)))
    }
    if case .none = body { return words.joined(separator: " ") }
    if let form { return (words + form).joined(separator: " ") }
    // By default curl sends a body as a form.
    if fields[.contentType] == nil { words.append("-H " + quoting.word("Content-Type:")) }
    switch body {
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self), Self.isPrintable(text) else {
        return "echo \(Base64.encode(bytes)) | base64 -d | " + (words + ["--data-binary @-"]).joined(separator: " ")
      }
      // Not `--data-binary`, which reads a file if the text starts with `@`.
      return (words + ["--data-raw", quoting.word(text)]).joined(separator: " ")
    default: return (words + ["--data-binary @body"]).joined(separator: " ")
    }
  }

  /// The parts of a multipart form as `-F`; `nil` for another body, and for parts that curl would change.
  private func formOptions(_ quoting: ShellQuoting) -> [String]? {
    guard case .bytes(let bytes) = body, let type = fields[.contentType],
      FieldSyntax.lowercased(type.utf8).hasPrefix("multipart/form-data"),
      let parts = FormParts.read(bytes, contentType: type), !parts.isEmpty
    else { return nil }
    return parts.map { part in
      guard part.filename != nil || part.type != nil else {
        return "--form-string \(quoting.word("\(part.name)=\(part.text)"))"
      }
      var value = "\(part.name)=\"\(part.text)\""
      if let filename = part.filename { value += ";filename=\"\(filename)\"" }
      if let type = part.type { value += ";type=\(type)" }
      return "-F \(quoting.word(value))"
    }
  }

  /// Whether a string is printable: without control characters, or CI commands (`::` of GitHub, `##[` of Azure).
  private static func isPrintable(_ text: String) -> Bool {
    VisibleText.block(text).utf8Equals(text)
      && text.utf8.split(separator: 0x0A).allSatisfy { !$0.starts(with: "::".utf8) && !$0.starts(with: "##[".utf8) }
  }

  /// Fields that curl sends by default, or that have no effect.
  private static func isImplied(_ field: HTTPField) -> Bool {
    field.name == .userAgent || (field.name == .accept && field.value == "*/*")
  }
}
