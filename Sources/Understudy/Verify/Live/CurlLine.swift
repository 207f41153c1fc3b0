import HTTPTypes

/// A request as a line for a shell, secrets as variables.
package struct CurlLine: Sendable {
  private let secrets: [LiveSettings.Secret]

  package init(secrets: [LiveSettings.Secret] = []) { self.secrets = secrets }

  package func text(_ wire: WireRequest) -> String {
    let method = wire.request.method.rawValue
    var words = ["curl -i"]
    switch method {
    case "GET" where wire.body.isEmpty: break
    case "HEAD": words = ["curl --head"]
    default: words.append("-X \(quoted(method))")
    }
    // Brackets and dots mean what they are.
    if wire.target.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("-g") }
    words.append(quoted(wire.url))
    for field in wire.request.headerFields where !Self.isImplied(field) {
      words.append(
        "-H " + quoted(field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"))
    }
    guard !wire.body.isEmpty else { return words.joined(separator: " ") }
    if wire.request.headerFields[.contentType] == nil { words.append("-H 'Content-Type:'") }
    if let text = String(validating: wire.body, as: UTF8.self), !text.utf8.contains(0) {
      return (words + ["--data-binary " + quoted(text)]).joined(separator: " ")
    }
    return "echo \(Base64.encode(wire.body)) | base64 -d | " + (words + ["--data-binary @-"]).joined(separator: " ")
  }

  /// What curl sends on its own, or what changes nothing.
  private static func isImplied(_ field: HTTPField) -> Bool {
    field.name == .userAgent || (field.name == .accept && field.value == "*/*")
  }

  /// One word of a shell: in single quotes, or in double ones where a variable stands in it.
  private func quoted(_ text: String) -> String {
    var parts: [(text: String, isVariable: Bool)] = [(text, false)]
    for secret in secrets where !secret.value.isEmpty {
      for spelling in [secret.value, PercentEncoding.encode(secret.value), Base64.encode(Array(secret.value.utf8))] {
        parts = parts.flatMap { part -> [(text: String, isVariable: Bool)] in
          guard !part.isVariable else { return [part] }
          let pieces = Self.split(part.text, at: spelling)
          return pieces.enumerated().flatMap { index, piece in
            (index == 0 ? [] : [(secret.variable, true)]) + [(piece, false)]
          }
        }
      }
    }
    guard parts.count > 1 else {
      let isPlain =
        !text.isEmpty && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "/:,@%+=".utf8.contains($0) }
      return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
    return "\"" + parts.map { $0.isVariable ? "${\($0.text)}" : Self.escaped($0.text) }.joined() + "\""
  }

  private static func split(_ text: String, at separator: String) -> [String] {
    let ranges = text.utf8.ranges(of: Array(separator.utf8))
    guard !ranges.isEmpty else { return [text] }
    var pieces: [String] = []
    var start = text.utf8.startIndex
    for range in ranges {
      pieces.append(String(Substring(text.utf8[start..<range.lowerBound])))
      start = range.upperBound
    }
    return pieces + [String(Substring(text.utf8[start...]))]
  }

  /// Within double quotes four characters have a meaning (POSIX, 2.2.3).
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { "\"\\$`".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
