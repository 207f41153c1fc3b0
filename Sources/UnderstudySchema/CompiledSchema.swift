/// A JSON Schema that is compiled and ready to validate values.
///
/// Compiling checks the schema. Validating never throws, and its cost is bounded. The schema does not accept a value
/// that needs a broken part of it; `failures(_:limit:)` returns the reason.
public struct CompiledSchema: Sendable {
  /// The problems of the schema itself; empty for a valid one.
  public let problems: [Diagnostic]
  private let schema: Schema
  private let library: SchemaLibrary
  private let root: JSON

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - text: The schema as JSON or YAML.
  ///   - dialect: The dialect of schemas without `$schema` (Core 2020-12, 8.1.1).
  ///   - resources: Other schemas that references may lead to, by absolute URI. The library reads no files and no
  ///     network.
  ///   - assertsFormats: Whether every `format` rejects values. Otherwise only formats with an exact and simple grammar
  ///     do, such as `date-time` and `uuid`; Validation 2020-12, 7.2.2, leaves the choice to the validator.
  /// - Throws: `DiagnosticError` if the text or a resource is neither JSON nor YAML.
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

  /// The failures of a value; empty if and only if the value is valid.
  ///
  /// - Parameters:
  ///   - value: The value to validate.
  ///   - limit: The most failures to return, at least 1.
  public func failures(_ value: JSON, limit: Int = 100) -> [SchemaFailure] { schema.failures(value, limit: limit) }

  /// A value that the schema accepts; `nil` if none was found.
  ///
  /// - Parameter seed: The seed of the choices: the same seed gives the same value on every machine, and `0` a plain
  ///   one.
  public func sample(seed: String = "0") -> JSON? {
    SampleGenerator(schemas: library, seed: seed).sample(of: root, direction: .either)
  }
}

extension JSON {
  /// Parses a JSON text (RFC 8259).
  ///
  /// - Throws: `DiagnosticError` with the position of the error.
  public init(parsing text: String) throws(DiagnosticError) {
    self = try Self.document(text, path: "value", JSONParser.parse).root
  }

  fileprivate static func document(
    _ text: String, path: String, _ parse: (SourceFile) throws(TextProblem) -> JSONDocument = TextDocument.read
  ) throws(DiagnosticError) -> JSONDocument {
    let source = SourceFile(path: path, text: text)
    do throws(TextProblem) {
      return try parse(source)
    } catch {
      throw DiagnosticError([Diagnostic(.instanceUnparsable, error, in: source)])
    }
  }
}
