/// A reply in the keys of a fixture description.
struct ReplyText {
  /// The files that replies name, by their paths below the output folder.
  private(set) var files: [(path: String, bytes: [UInt8])] = []

  /// The maximum size of a body that stands in the file of its reply.
  private static let inlineLimit = 16 << 10

  /// - Parameters:
  ///   - isRoute: Whether the reply is in a routes file, which has the status in it.
  ///   - folder: The way from the file to the output folder.
  mutating func members(
    of entry: RoutePlan.Entry, priority: Int?, isRoute: Bool, folder: String = ""
  ) -> [(String, JSON)] {
    let reply = entry.stub.reply
    var members: [(String, JSON)] = []
    if isRoute {
      members.append(("status", .integer(reply.status)))
      if let name = entry.name { members.append(("name", .string(name))) }
    } else if let summary = entry.stub.name {
      members.append(("summary", .string(VisibleText.shortened(VisibleText.line(summary), to: 200))))
    }
    if let when = entry.when, entry.stub.state == nil || !isRoute { members.append(("when", when)) }
    if let priority, entry.when != nil, entry.stub.state == nil { members.append(("priority", .integer(priority))) }
    if let delay = reply.delay { members.append(("delay", .string(delay))) }
    if !reply.faults.isEmpty {
      members.append(
        ("fault", reply.faults.count == 1 ? .string(reply.faults[0]) : .array(reply.faults.map { .string($0) })))
    }
    headers(of: reply, into: &members)
    body(of: reply, isRoute, folder, into: &members)
    if reply.isTemplate {
      members.append(("template", true))
    } else if reply.texts.contains(where: { $0.contains("{{") }) {
      members.append(("template", false))
    }
    return members
  }

  private func headers(of reply: StubReply, into members: inout [(String, JSON)]) {
    var headers: [(String, JSON)] = []
    for (name, values) in reply.headers {
      let lower = name.lowercased()
      // The mock frames its responses itself.
      if ["content-length", "transfer-encoding", "connection"].contains(lower) { continue }
      if lower == "content-type", values.count == 1, !values[0].contains("{{") {
        members.append(("contentType", .string(values[0])))
      } else {
        headers.append((name, values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })))
      }
    }
    if !reply.hasContentType, !reply.infersType, !reply.body.isEmpty { headers.append(("Content-Type", .null)) }
    if !headers.isEmpty { members.append(("headers", .object(headers))) }
  }

  private mutating func body(
    of reply: StubReply, _ isRoute: Bool, _ folder: String, into members: inout [(String, JSON)]
  ) {
    switch reply.body {
    case .none: break
    case .text(let text) where text.isEmpty: break
    case .json(let value): members.append((isRoute ? "json" : "body", value))
    case .text(let text) where text.utf8.count <= Self.inlineLimit || reply.isTemplate:
      members.append(("text", .string(text)))
    case .text(let text):
      members.append((isRoute ? "file" : "bodyFile", .string(folder + file(Array(text.utf8), "txt"))))
    case .bytes(let bytes, let fileExtension):
      members.append((isRoute ? "file" : "bodyFile", .string(folder + file(bytes, fileExtension))))
    }
  }

  /// The path of a file with some content; equal contents share a file.
  private mutating func file(_ bytes: [UInt8], _ fileExtension: String) -> String {
    var suffix = ReplyName.slug(fileExtension).isEmpty ? "bin" : ReplyName.slug(fileExtension)
    // A file of this name has to be valid JSON.
    if suffix == "json", (try? JSONParser.parse(bytes)) == nil { suffix = "txt" }
    if let known = files.first(where: { $0.bytes == bytes && $0.path.hasSuffix("." + suffix) }) { return known.path }
    let path = "files/\(files.count + 1).\(suffix)"
    files.append((path, bytes))
    return path
  }
}
