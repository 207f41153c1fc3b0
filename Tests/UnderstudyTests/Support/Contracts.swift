import SourceText
import Understudy

extension DocumentStore {
  /// A store over texts in memory, by path.
  static func inMemory(_ files: [String: String], limits: Limits = Limits(), fetch: Load? = nil) -> DocumentStore {
    DocumentStore(limits: limits, fetch: fetch) { path in
      guard let text = files[path] else { return .failure(.unreadable("no such file")) }
      return parse(text, path: path)
    }
  }

  static func parse(_ text: String, path: String) -> Result<JSONDocument, DocumentFailure> {
    let source = SourceFile(path: path, text: text)
    do throws(TextProblem) {
      return .success(try TextDocument.read(source))
    } catch {
      return .failure(.unparsable(error, source))
    }
  }
}

extension OpenAPIReader {
  static func read(text: String) -> (api: API?, diagnostics: [Diagnostic]) {
    read("api.yaml", from: .inMemory(["api.yaml": text]))
  }
}

extension API {
  /// Reads a contract that must be readable.
  static func make(_ text: String) -> API {
    let (api, diagnostics) = OpenAPIReader.read(text: text)
    guard let api else { preconditionFailure("\(diagnostics.map(\.message))") }
    return api
  }

  /// One operation in a contract of a version: `responses` is there unless given.
  static func make(operation: String, version: String = "3.1.0", components: String = "{}") -> API {
    let head = version == "2.0" ? "swagger: \"2.0\"" : "openapi: \(version)"
    let indented = operation.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
    let tail = version == "2.0" ? "" : "components: \(components)"
    return make(
      """
      \(head)
      info: {title: Test, version: "1"}
      paths:
        /pets/{id}:
          post:
      \(indented)
      \(tail)
      """)
  }
}

extension Diagnostic {
  /// `rule line:column`.
  var place: String { "\(rule.id) \(location?.start.map { "\($0.line):\($0.column)" } ?? "")" }
}
