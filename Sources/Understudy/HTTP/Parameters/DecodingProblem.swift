/// Why text on the wire is not the value that was declared, or only just.
package struct DecodingProblem: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Required and not there.
    case missing
    /// Written in another style than declared.
    case style
    /// A `%` without two hexadecimal digits, or bytes that are no UTF-8.
    case percentEncoding
    /// Text that reads as none of the declared types.
    case type
    /// A key that may come once came again; the first was taken.
    case duplicate
    /// JSON or multipart that is none, or a body that is not what its Content-Type says.
    case syntax
    /// A Content-Type that is missing, unreadable or not declared.
    case contentType
    /// A byte order mark, a key that stands twice, JSON under another Content-Type, a transfer encoding.
    case encoding
    /// A named limit was passed.
    case limit
  }

  package var kind: Kind
  /// The key as it stands on the wire, decoded: `studylist[]`.
  package var key: String
  /// What is wrong, what was expected, what to do.
  package var sentence: String
  /// Whether the value could be read all the same.
  package var isRecovered: Bool

  package init(_ kind: Kind, _ key: String, _ sentence: String, isRecovered: Bool = false) {
    self.kind = kind
    self.key = key
    self.sentence = sentence
    self.isRecovered = isRecovered
  }
}
