/// A JSON Schema that is compiled and ready to validate values.
///
/// Compiling checks the schema; validating never fails and its cost is bounded. A value that meets a broken part of the
/// schema is not accepted, and `failures(_:limit:)` says why.
public struct CompiledSchema: Sendable {
  /// What is wrong with the schema itself; empty for a sound one.
  public let problems: [Diagnostic]
  private let schema: Schema
  private let library: SchemaLibrary
  private let root: JSON

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - text: The schema as JSON or YAML.
  ///   - dialect: The dialect of schemas without `$schema` (Core 2020-12, 8.1.1).
  ///   - resources: Other schemas that references may lead to, by absolute URI. Nothing is read from disk or network.
  ///   - assertsFormats: Whether every `format` rejects values. Otherwise only formats with an exact and simple grammar do,
  ///     such as `date-time` and `uuid`; Validation 2020-12, 7.2.2, leaves the choice to the validator.
  /// - Throws: `DiagnosticError` when the text, or that of a resource, is neither JSON nor YAML.
  public init(
    _ text: String, dialect: Dialect = .draft2020, resources: [String: String] = [:], assertsFormats: Bool = false
  ) throws(DiagnosticError) {
    let document = try JSON.document(text, path: "schema")
    var documents: [String: JSONDocument] = [:]
    for (uri, text) in resources { documents[uri] = try JSON.document(text, path: uri) }
    let library = SchemaLibrary(
      dialect: dialect, startingAt: document, assertsFormats: assertsFormats ? .always : .byDefaultTable,
      loader: SchemaLoader { [documents] uri in documents[uri] })
    self.library = library
    root = document.root
    schema = library.schema(at: document.root)
    problems = schema.problems
  }

  /// Whether a value is valid.
  public func accepts(_ value: JSON) -> Bool { schema.accepts(value) }

  /// Every way in which a value breaks the schema; empty exactly when the value is valid.
  ///
  /// - Parameters:
  ///   - value: The value to validate.
  ///   - limit: The most failures to return, at least 1.
  public func failures(_ value: JSON, limit: Int = 100) -> [SchemaFailure] { schema.failures(value, limit: limit) }

  /// A value that the schema accepts; `nil` when none was found.
  ///
  /// - Parameter seed: The same seed gives the same value on every machine; `0` gives a plain one.
  public func sample(seed: String = "0") -> JSON? {
    SampleGenerator(schemas: library, seed: seed).sample(of: root, direction: .either)
  }
}

extension JSON {
  /// Parses a JSON text (RFC 8259).
  ///
  /// - Throws: `DiagnosticError` with the position of the mistake.
  public init(parsing text: String) throws(DiagnosticError) {
    let source = SourceFile(path: "value", text: text)
    do throws(TextProblem) {
      self = try JSONParser.parse(source).root
    } catch {
      throw DiagnosticError([Diagnostic(.instanceUnparsable, error, in: source)])
    }
  }

  fileprivate static func document(_ text: String, path: String) throws(DiagnosticError) -> JSONDocument {
    let source = SourceFile(path: path, text: text)
    do throws(TextProblem) {
      return try TextDocument.read(source)
    } catch {
      throw DiagnosticError([Diagnostic(.instanceUnparsable, error, in: source)])
    }
  }
}
