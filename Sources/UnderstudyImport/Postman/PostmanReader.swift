/// Reads collections of Postman (2.0 and 2.1): the saved responses of their requests.
struct PostmanReader {
  private var context: ImportContext
  private var variables: [String: String] = [:]
  /// The examples of each method and path, in the order of the collection.
  private var groups: [(key: String, examples: [Stub])] = []
  private var positions: [String: Int] = [:]

  private static let depthLimit = 32

  static func read(_ documents: [JSON], _ context: inout ImportContext) {
    for document in documents {
      var reader = PostmanReader(context: context)
      // Exports of earlier API versions have a member around the collection.
      reader.read(document["collection"] ?? document)
      context = reader.context
    }
  }

  private init(context: ImportContext) { self.context = context }

  private mutating func read(_ collection: JSON) {
    for variable in collection["variable"]?.elements ?? JSON.array([]).elements {
      if let key = (variable["key"] ?? variable["id"])?.string { variables[key] = variable["value"]?.text ?? "" }
    }
    if let auth = collection["auth"], !auth.isNull {
      context.differs("auth", "the routes require no credentials", at: auth)
    }
    guard let items = collection["item"] else { return }
    read(items: items, depth: 0)
    for group in groups { context.stubs += Self.ordered(group.examples) }
  }

  private mutating func read(items: JSON, depth: Int) {
    guard depth < Self.depthLimit else { return context.lost("folder", "folders nest too deep", at: items) }
    for item in items.elements {
      if let inner = item["item"] {
        read(items: inner, depth: depth + 1)
        continue
      }
      guard let request = item["request"] else { continue }
      guard let responses = item["response"], responses.count > 0 else {
        context.count += 1
        context.lost("request without a saved response", "save an example of its response in Postman", at: item)
        continue
      }
      for response in responses.elements {
        context.count += 1
        guard response.isObject, let stub = stub(response, of: request) else { continue }
        let key = "\(stub.method ?? "") \(stub.path.shape)"
        if positions[key] == nil {
          positions[key] = groups.count
          groups.append((key, []))
        }
        groups[positions[key] ?? 0].examples.append(stub)
      }
    }
  }

  /// The examples with conditions, then the default, then the variants.
  private static func ordered(_ examples: [Stub]) -> [Stub] {
    guard examples.count > 1, var last = examples.first(where: { 200...299 ~= $0.reply.status }) ?? examples.first
    else {
      return examples.map { stub in
        var stub = stub
        stub.predicate = .always
        return stub
      }
    }
    let conditional = examples.filter { !$0.predicate.isAlways }
    last.predicate = .always
    let rest = examples.filter { $0.predicate.isAlways && $0.node.index != last.node.index }
    return conditional + [last] + rest
  }

  // MARK: - Examples

  private mutating func stub(_ response: JSON, of item: JSON) -> Stub? {
    let request = response["originalRequest"].flatMap { $0["url"] == nil ? nil : $0 } ?? item
    let url = request.isString ? request : request["url"] ?? request
    guard let path = path(of: url), RouteKeyCheck.problem(path) == nil else {
      context.lost("URL", "it has no path of a route", at: url)
      return nil
    }
    var stub = Stub(response, path: PathPattern(route: path))
    stub.method = request["method"]?.string?.uppercased() ?? "GET"
    stub.name = response["name"]?.string
    stub.isVariant = true
    stub.predicate = .all(query(of: url) + body(of: request["body"]))
    stub.reply.status = response["code"]?.int ?? 200
    guard 200...599 ~= stub.reply.status else {
      context.lost("status", "a mock sends statuses from 200 to 599", at: response)
      return nil
    }
    for header in response["header"]?.elements ?? JSON.array([]).elements {
      guard let key = header["key"]?.string, header["disabled"]?.bool != true else { continue }
      guard !["content-encoding", "date"].contains(key.lowercased()) else { continue }
      stub.reply.addHeader(key, header["value"]?.text ?? "")
    }
    if let text = response["body"]?.string, !text.isEmpty {
      stub.reply.body = .text(text)
      if !stub.reply.hasContentType, response["_postman_previewlanguage"]?.string == "json" {
        stub.reply.addHeader("Content-Type", "application/json")
      }
    }
    if let delay = response["_postman_delay"]?.int ?? item["_postman_delay"]?.int {
      stub.reply.delay = DelayText.milliseconds(delay)
    }
    return stub
  }

  /// The path of a URL, with `{name}` for variables of paths and for unknown variables of the collection.
  private func path(of url: JSON) -> String? {
    var segments: [String] = []
    if let path = url["path"] {
      segments =
        path.isArray
        ? path.elements.map { $0.isObject ? $0["value"]?.text ?? "" : $0.text }
        : path.text.split(separator: "/").map(String.init)
    } else {
      let raw = url.isString ? url.text : url["raw"]?.text ?? ""
      var rest = raw.prefix { $0 != "?" && $0 != "#" }
      if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
      // The host, or the variable of the base URL, is not part of the path.
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      segments = rest[slash...].split(separator: "/").map(String.init)
    }
    var names: Set<String> = []
    let parts = segments.filter { !$0.isEmpty }.map { segment -> String in
      if segment.hasPrefix(":"), segment.count > 1 { return variable(String(segment.dropFirst()), &names) }
      var text = segment
      for (name, value) in variables where !value.isEmpty && !value.contains("/") {
        text = text.replacing("{{\(name)}}", with: value)
      }
      if text.hasPrefix("{{"), text.hasSuffix("}}") { return variable(String(text.dropFirst(2).dropLast(2)), &names) }
      return PercentEncoding.encodedSegment(text)
    }
    return parts.contains { $0.contains("{{") } ? nil : "/" + parts.joined(separator: "/")
  }

  private func variable(_ name: String, _ names: inout Set<String>) -> String {
    let safe = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    let base = safe.isEmpty ? "value" : safe
    var unique = base
    while !names.insert(unique).inserted { unique += "2" }
    return "{\(unique)}"
  }

  private func query(of url: JSON) -> [Predicate] {
    guard let query = url["query"], query.isArray else {
      let raw = url.isString ? url.text : url["raw"]?.text ?? ""
      guard !url.isObject, let mark = raw.firstIndex(of: "?") else { return [] }
      return WireMockReader.query(String(raw[raw.index(after: mark)...])).parts.filter { !Self.isOpen($0) }
    }
    return query.elements.compactMap { parameter in
      guard parameter["disabled"]?.bool != true, let key = parameter["key"]?.string, !key.isEmpty,
        let value = parameter["value"]?.string, !value.contains("{{"), !value.hasPrefix("<")
      else { return nil }
      return .test(.query, key, .string(PercentEncoding.decode(ArraySlice(value.utf8)) ?? value))
    }
  }

  private static func isOpen(_ predicate: Predicate) -> Bool {
    if case .test(_, let name, let value) = predicate {
      name.contains("{{") || value.text.contains("{{")
    } else {
      false
    }
  }

  private func body(of body: JSON?) -> [Predicate] {
    guard let body else { return [] }
    switch body["mode"]?.string {
    case "raw":
      guard let text = body["raw"]?.string, !text.contains("{{"),
        let value = try? JSONParser.parse(Array(text.utf8)).root,
        value.isObject || value.isArray
      else { return [] }
      return [.test(.body, "$", .object([("equalsJson", value)]))]
    case "urlencoded":
      return body["urlencoded"]?.elements.compactMap { field in
        guard let key = field["key"]?.string, let value = field["value"]?.string, field["disabled"]?.bool != true,
          !value.contains("{{")
        else { return nil }
        return .test(.body, key, .string(value))
      } ?? []
    default: return []
    }
  }
}

extension PercentEncoding {
  /// A segment of a path, with the characters encoded that a route does not have.
  static func encodedSegment(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if isUnreserved(byte) || "!$&'(),;=:@%+".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = Array("0123456789ABCDEF")
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}
