/// A matched request with its values as text.
///
/// A class, because most of it is made when it is first asked for, and of most requests little is.
package final class RequestView: RequestValues {
  package let request: HTTPRequest
  /// As the client wrote it: path and query.
  package let target: String
  /// The raw text of each path expression, as ranges of the target's UTF-8.
  package let captures: [(name: String, range: Range<Int>)]
  /// As it came, codings and all.
  package let body: [UInt8]

  package init(request: HTTPRequest, target: String, captures: [(name: String, range: Range<Int>)], body: [UInt8]) {
    self.request = request
    self.target = target
    self.captures = captures
    self.body = body
  }

  /// What parameters are read from.
  package private(set) lazy var input = ParameterInput(
    target: target, fields: request.headerFields, captures: captures)

  package var query: Query { hasQuery ? input.pairs : Query() }

  /// Whether there is a `?`; most requests have none.
  private(set) lazy var hasQuery = target.utf8.contains(UInt8(ascii: "?"))

  /// What the body is read from.
  private(set) lazy var content: MessageBody = {
    let fields = request.headerFields
    return MessageBody(
      body, contentType: fields.contentType, codings: fields.lines(named: "Content-Encoding"))
  }()

  package func values(_ part: RequestPart, _ name: String) -> [String] {
    switch part {
    case .path: captures.filter { $0.name.utf8Equals(name) }.map { decoded($0.range) }
    case .query: input.query.texts(of: name)
    case .header: request.headerFields.lines(named: name)
    case .body: bodyValues(name)
    }
  }

  // MARK: - Parts

  private func decoded(_ range: Range<Int>) -> String {
    var target = target
    return target.withUTF8 { bytes in
      let raw = bytes[range.clamped(to: 0..<bytes.count)]
      return PercentEncoding.decode(raw) ?? String(decoding: raw, as: UTF8.self)
    }
  }

  private func bodyValues(_ name: String) -> [String] {
    switch content.syntax {
    case .form?: content.form.texts(of: name)
    case .json?: (try? content.json.get()).map { Self.values(name, in: $0.root) } ?? []
    default: []
    }
  }

  private static func values(_ name: String, in root: JSON) -> [String] {
    let value = name.utf8.first == UInt8(ascii: "/") ? JSONPointer(name).flatMap { root[$0] } : root[name]
    return value?.requestTexts ?? []
  }
}

extension JSON {
  /// As a `when` or a template has it: several for an array.
  var requestTexts: [String] {
    let values = isArray ? Array(elements) : [self]
    return values.map { $0.isString || $0.kind == .number ? $0.text : JSONWriter.text($0) }
  }
}

/// Where a value of a request stands.
package enum RequestPart: String, CaseIterable, Sendable { case path, query, header, body }

/// The values of a request as text, for `when` and for templates.
package protocol RequestValues {
  /// All values of a name, decoded; several for a repeated key, none where it is absent.
  func values(_ part: RequestPart, _ name: String) -> [String]
}
