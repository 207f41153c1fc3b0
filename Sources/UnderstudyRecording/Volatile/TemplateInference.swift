/// Finds what a body repeats from its request or from the clock, and writes it as a template.
struct TemplateInference {
  let view: RequestView
  let clock: ClockTags
  let requestSchema: ResolvedSchema

  /// A text that is not under the name it has in the request is an echo only from this length on.
  static let echoLength = 8

  /// The template of a JSON body; `nil` if nothing in it depends on its request or the clock.
  func template(_ body: [UInt8], _ schema: ResolvedSchema) -> [UInt8]? {
    // The tags of a template cannot be escaped.
    guard body.firstRange(of: "{{".utf8) == nil, let root = try? JSONParser.parse(body).root else { return nil }
    var isChanged = false
    let value = JSON.make { copy(root, schema, at: JSONPointer([]), into: &$0, &isChanged) }
    guard isChanged else { return nil }
    return Self.unquoted(JSONWriter.bytes(value, .pretty)) + [0x0A]
  }

  /// Recursive, since the parser limits the depth.
  private func copy(
    _ node: JSON, _ schema: ResolvedSchema, at pointer: JSONPointer, into builder: inout JSONBuilder,
    _ isChanged: inout Bool
  ) {
    switch node.kind {
    case .array:
      builder.begin(.array)
      for element in node.elements { copy(element, schema.element, at: pointer, into: &builder, &isChanged) }
      builder.end()
    case .object:
      builder.begin(.object)
      for member in node.members {
        builder.append(key: member.name)
        copy(
          member.value, schema.schema(of: member.name), at: JSONPointer(pointer.tokens + [member.name]), into: &builder,
          &isChanged)
      }
      builder.end()
    case .string:
      // A value with a meaning of its own decides which variant this is.
      let tag = schema.listsValues ? nil : echo(of: node.text, at: pointer) ?? clock.tag(for: node.text)
      guard let tag else { return builder.append(node) }
      isChanged = true
      builder.append(tag)
    case .number:
      let tag = schema.listsValues ? nil : numberEcho(of: node.text, at: pointer) ?? clock.tag(forNumber: node.text)
      guard let tag else { return builder.append(node) }
      isChanged = true
      builder.append(Self.mark + tag)
    default: builder.append(node)
    }
  }

  private func echo(of text: String, at pointer: JSONPointer) -> String? {
    guard !text.isEmpty else { return nil }
    let name = pointer.tokens.last ?? ""
    let isLong = text.utf8.count >= Self.echoLength
    for capture in view.captures where isLong || capture.name.utf8Equals(name) {
      if isValue(.path, capture.name, text) { return "{{request.path.\(capture.name)}}" }
    }
    for (part, name) in places(of: pointer) where isValue(part, name, text) {
      return "{{request.\(part.rawValue).\(name)}}"
    }
    return nil
  }

  /// A number without quotes needs a request that has one in its place.
  private func numberEcho(of text: String, at pointer: JSONPointer) -> String? {
    guard let name = pointer.tokens.last else { return nil }
    for capture in view.captures {
      let isOwn = capture.name.utf8Equals(name) || pointer.tokens == ["id"] && capture.name == view.captures.last?.name
      if isOwn, isValue(.path, capture.name, text) { return "{{request.path.\(capture.name)}}" }
    }
    let isRequired =
      requestSchema.requirement(of: name) != nil
      && requestSchema.property(name)?.types.isSubset(of: .number) == true
    guard pointer.tokens.count == 1, isRequired, isValue(.body, name, text) else { return nil }
    return "{{request.body.\(name)}}"
  }

  /// Where the request may have the value of a member: under the same pointer, or the same name.
  private func places(of pointer: JSONPointer) -> [(RequestPart, String)] {
    guard let name = pointer.tokens.last else { return [] }
    let nested = pointer.tokens.count > 1 && pointer.tokens.allSatisfy(Self.isName) ? [pointer.description] : []
    return nested.map { (.body, $0) } + (Self.isName(name) ? [(.body, name), (.query, name)] : [])
  }

  private func isValue(_ part: RequestPart, _ name: String, _ text: String) -> Bool {
    let values = view.values(part, name)
    return values.count == 1 && values[0].utf8Equals(text)
      && name.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { Self.isName(String(Substring($0))) }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") }
  }

  /// Stands before a tag that is a number, and goes with its quotes.
  private static let mark = "\u{1}"

  private static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    return Array(text.replacing(/"\\u0001(\{\{[^"]*\}\})"/) { "\($0.output.1)" }.utf8)
  }
}
