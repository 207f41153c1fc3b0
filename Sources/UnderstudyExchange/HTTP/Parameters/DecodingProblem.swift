/// Why text on the wire is not a value as declared.
package struct DecodingProblem: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Required and absent.
    case missing
    /// Written in another style than declared.
    case style
    /// A `%` without two hexadecimal digits, or bytes that are not UTF-8.
    case percentEncoding
    /// Text that is of none of the declared types.
    case type
    /// A key that is allowed once is repeated; the first value counts.
    case duplicate
    /// Invalid JSON or multipart, or a body that does not match its Content-Type.
    case syntax
    /// A Content-Type that is missing, unreadable or not declared.
    case contentType
    /// A byte order mark, a duplicate key, JSON under another Content-Type, a transfer encoding.
    case encoding
    case limit
  }

  package var kind: Kind
  /// The key on the wire, decoded: `studylist[]`.
  package var key: String
  /// The problem, the expected form and the next step.
  package var sentence: String
  package var isRecovered: Bool

  package init(_ kind: Kind, _ key: String, _ sentence: String, isRecovered: Bool = false) {
    self.kind = kind
    self.key = key
    self.sentence = sentence
    self.isRecovered = isRecovered
  }
}
