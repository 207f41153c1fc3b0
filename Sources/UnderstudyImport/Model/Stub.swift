/// One request with its response, as a file of another tool describes them.
package struct Stub: Sendable {
  /// A name for people, of which the name of the reply is made.
  var name: String?
  /// The place in the imported file.
  let node: JSON
  /// The method; `nil` for any.
  var method: String?
  var path: PathPattern
  var predicate = Predicate.always
  var reply = StubReply()
  var state: State?
  /// Whether the tool would send the response only on request, if an earlier stub responds to the same requests.
  var isVariant = false

  /// The place of a stub in a scenario.
  enum State: Sendable {
    /// A state of a machine; `required` is `nil` for every state, `next` if the state stays.
    case machine(String, required: String?, next: String?)
    /// Values of variables that the stub needs and sets.
    case variables(requires: [(String, String)], sets: [(String, String)])
  }

  init(_ node: JSON, path: PathPattern) { (self.node, self.path) = (node, path) }
}

/// The response of a stub, in the keys of a reply.
struct StubReply: Sendable {
  var status = 200
  var headers: [(name: String, values: [String])] = []
  var body = Body.none
  var isTemplate = false
  /// Whether the media type follows from the extension of the file.
  var infersType = false
  var delay: String?
  var faults: [String] = []

  enum Body: Sendable {
    case none
    case json(JSON)
    case text(String)
    case bytes([UInt8], fileExtension: String)

    var isEmpty: Bool {
      switch self {
      case .none: true
      case .text(let text): text.isEmpty
      case .bytes(let bytes, _): bytes.isEmpty
      case .json: false
      }
    }
  }

  init() {}

  /// Reads the `status` and the `headers` of a response; `nil`, with a remark, for a status that no mock sends.
  init?(head response: JSON, _ context: inout ImportContext) {
    status = response["status"]?.int ?? 200
    guard 200...599 ~= status else {
      context.lost("status", "a mock sends statuses from 200 to 599", at: response)
      return nil
    }
    for member in response["headers"]?.members ?? JSON.object([]).members {
      for value in member.value.isArray ? Array(member.value.elements) : [member.value] {
        addHeader(member.name, value.text)
      }
    }
  }

  var hasContentType: Bool { headers.contains { $0.name.lowercased() == "content-type" } }

  var contentType: String? { headers.first { $0.name.lowercased() == "content-type" }?.values.first }

  /// Adds a header value; several values of one name are sent as several fields.
  mutating func addHeader(_ name: String, _ value: String) {
    if let index = headers.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
      headers[index].values.append(value)
    } else {
      headers.append((name, [value]))
    }
  }

  /// The texts that may be templates.
  var texts: [String] {
    var texts = headers.flatMap(\.values)
    switch body {
    case .text(let text): texts.append(text)
    case .json(let value): texts.append(JSONWriter.text(value))
    case .bytes(let bytes, _): if let text = String(validating: bytes, as: UTF8.self) { texts.append(text) }
    case .none: break
    }
    return texts
  }
}
