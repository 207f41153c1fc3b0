/// One documented response of an operation.
package struct Response: Sendable {
  package var status = Status.default
  package var description = ""
  /// `x-meaning`, else a slug of the description, else the status: unique within the operation.
  package var meaning = ""
  /// Whether `x-meaning` gives the meaning.
  package var isNamed = false
  /// The meaning, if the contract gives it by `x-meaning`.
  package var explicitMeaning: String? { isNamed ? meaning : nil }
  package var headers: [Header]
  package var content: [MediaTypeObject]
  package var links: [Link] = []
  package var node: JSON

  /// The key of a response: `200`, `4XX`, `default`.
  package enum Status: Hashable, Sendable, CustomStringConvertible {
    case code(Int)
    /// The hundreds of a range: 4 for `4XX`.
    case range(Int)
    case `default`

    package init?(_ text: String) {
      if text == "default" {
        self = .default
      } else if text.utf8.count == 3, let hundreds = text.utf8.first.map({ Int($0) - 48 }), 1...5 ~= hundreds,
        text.utf8.dropFirst().elementsEqual("XX".utf8)
      {
        self = .range(hundreds)
      } else if text.utf8.count == 3, text.utf8.allSatisfy({ 48...57 ~= $0 }), let code = Int(text), 100...599 ~= code {
        self = .code(code)
      } else {
        return nil
      }
    }

    /// Also accepts `2xx`, which is common and unambiguous; the linter reports it.
    package init?(lenient text: String) { self.init(text.utf8.count == 3 ? text.uppercased() : text) }

    package var description: String {
      switch self {
      case .code(let code): String(code)
      case .range(let hundreds): "\(hundreds)XX"
      case .default: "default"
      }
    }

    /// The status to send for this key by default.
    package var code: Int {
      switch self {
      case .code(let code): code
      case .range(let hundreds): hundreds * 100
      case .default: 500
      }
    }
  }
}

/// An example of any kind: `example`, `examples`, `externalValue`, `x-example`, Swagger 2.0 `examples`.
package struct Example: Sendable {
  /// The key in `examples`; `nil` for the single `example`.
  package var name: String?
  package var summary: String?
  package var value: Value
  package var node: JSON

  package enum Value: Sendable {
    /// A value as data.
    case data(JSON)
    /// The text on the wire (3.2 `serializedValue`).
    case serialized(String)
    /// `externalValue`: a file or URL, as written.
    case external(String)
  }

  /// The path of an `externalValue`; `nil` for a URL and for other examples.
  package var externalPath: String? {
    guard case .external(let reference) = value else { return nil }
    return ReferenceResolver.location(of: URIReference(reference), from: node.path).flatMap {
      URIReference($0).isRemote ? nil : $0
    }
  }
}

package struct Link: Sendable {
  package var name: String
  package var operationId: String?
  package var operationRef: String?
  package var parameters: JSON?
  package var requestBody: JSON?
  package var node: JSON
}
