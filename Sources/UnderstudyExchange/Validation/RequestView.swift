/// A matched request with its values; a class, because most of them are made on first use, and few requests use all.
package final class RequestView: RequestValues {
  package let request: HTTPRequest
  /// Path and query, as the client wrote them.
  package let target: String
  /// The raw text of each path expression, as ranges of the target's UTF-8.
  package let captures: [(name: String, range: Range<Int>)]
  /// As received, content codings included.
  package let body: [UInt8]

  package init(request: HTTPRequest, target: String, captures: [(name: String, range: Range<Int>)], body: [UInt8]) {
    self.request = request
    self.target = target
    self.captures = captures
    self.body = body
  }

  package private(set) lazy var input = ParameterInput(
    target: target, fields: request.headerFields, captures: captures)

  package var query: Query { hasQuery ? input.pairs : Query() }

  /// Whether there is a `?`; most requests have none.
  package private(set) lazy var hasQuery = {
    var target = target
    return target.withUTF8 { $0.contains(UInt8(ascii: "?")) }
  }()

  package private(set) lazy var content = MessageBody(
    body, contentType: request.headerFields.contentType, codings: request.headerFields.lines(named: "content-encoding"))

  package private(set) lazy var accept = request.headerFields.lines(named: "accept")

  /// The values that were asked for: the fixtures of an operation often have conditions for the same one.
  private var known: [(part: RequestPart, name: String, values: [String])] = []

  package func values(_ part: RequestPart, _ name: String) -> [String] {
    if let entry = known.first(where: { $0.part == part && $0.name.utf8Equals(name) }) { return entry.values }
    let values = read(part, name)
    known.append((part, name, values))
    return values
  }

  private func read(_ part: RequestPart, _ name: String) -> [String] {
    switch part {
    case .path: captures.compactMap { $0.name.utf8Equals(name) ? decoded($0.range) : nil }
    case .query: input.query.texts(of: name)
    case .header: request.headerFields.lines(named: name)
    case .cookie: input.cookies.texts(of: name)
    case .body: bodyValues(name)
    case .file: parts(name).compactMap(\.filename)
    case .fileType: parts(name).compactMap { $0.filename == nil ? nil : $0.contentType?.essence }
    }
  }

  private func parts(_ name: String) -> [MultipartMessage.Part] {
    content.structure.parts.filter { $0.name?.utf8Equals(name) == true }
  }

  private func decoded(_ range: Range<Int>) -> String {
    var target = target
    return target.withUTF8 { bytes in
      let raw = bytes[range.clamped(to: 0..<bytes.count)]
      return PercentEncoding.decode(ArraySlice(raw)) ?? String(decoding: raw, as: UTF8.self)
    }
  }

  private func bodyValues(_ name: String) -> [String] {
    switch content.syntax {
    case .form?: content.form.texts(of: name)
    case .json?: node(name)?.requestTexts ?? []
    case .multipart?: parts(name).map { String(decoding: $0.body, as: UTF8.self) }
    case .xml?: content.structure.xml.flatMap { root in XMLPath(name)?.values(in: root) } ?? []
    default: []
    }
  }

  private func node(_ name: String) -> JSON? {
    content.root.flatMap { root in
      name.utf8.first == UInt8(ascii: "/") ? JSONPointer(name).flatMap { root[$0] } : root[name]
    }
  }

  package func fact(_ fact: RequestFact) -> String? {
    switch fact {
    case .method: request.method.rawValue
    case .url: target
    case .path: String(target.prefix { $0 != "?" })
    case .body: String(decoding: content.plain, as: UTF8.self)
    }
  }

  package func nodes(_ selector: BodySelector, within budget: WorkBudget?) -> [JSON] {
    guard content.syntax == .json else { return [] }
    switch selector {
    case .field(let name): return node(name).map { [$0] } ?? []
    case .path(let path): return content.root.flatMap { path.nodes(in: $0, within: budget) } ?? []
    }
  }
}

extension JSON {
  /// The value as `when` and templates see it: several texts for an array.
  package var requestTexts: [String] { (isArray ? Array(elements) : [self]).map(\.plainText) }

  /// Strings without quotes, everything else as JSON.
  package var plainText: String { isString || kind == .number ? text : JSONWriter.text(self) }
}

/// The part of a request that holds a value: `file` is the name of an uploaded file, and `fileType` its media type.
package enum RequestPart: String, CaseIterable, Codable, Sendable {
  case path, query, header, cookie, body, file, fileType
}

/// A text of a request that is no value of a name: `url` is path and query as the client wrote them.
package enum RequestFact: String, CaseIterable, Sendable {
  case method, url, path, body
}

/// The values of a JSON body that a condition is about.
package enum BodySelector: Sendable, Hashable {
  /// A member of the root, or a JSON pointer.
  case field(String)
  case path(JSONPath)
}

/// The values of a request as text, for `when` and for templates.
package protocol RequestValues {
  /// All values of a name, decoded; several for a repeated key, none where it is absent.
  func values(_ part: RequestPart, _ name: String) -> [String]

  /// `nil` where it is not known.
  func fact(_ fact: RequestFact) -> String?

  /// The values of a JSON body; none for any other body.
  func nodes(_ selector: BodySelector, within budget: WorkBudget?) -> [JSON]
}

extension RequestValues {
  package func fact(_ fact: RequestFact) -> String? { nil }

  package func nodes(_ selector: BodySelector, within budget: WorkBudget?) -> [JSON] { [] }
}
