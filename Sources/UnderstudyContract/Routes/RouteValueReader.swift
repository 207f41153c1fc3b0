/// Reads the value of a route: a string, a status, replies by status, one reply, or a folder of static files.
struct RouteValueReader {
  private(set) var replies: [RouteReply] = []
  private(set) var folders: [String] = []
  private(set) var responses: [Response] = []
  private var reader = MappingReader(.routesInvalid)
  private let folder: String
  private let access: FileAccess
  private let template: PathTemplate

  var findings: [Diagnostic] { reader.all }

  /// - Parameters:
  ///   - folder: The folder of the routes file, which its paths are relative to.
  ///   - access: The files that the routes file may name.
  static func read(
    _ value: JSON, of template: PathTemplate, folder: String, within access: FileAccess
  ) -> RouteValueReader {
    var reader = RouteValueReader(folder: folder, access: access, template: template)
    reader.read(value)
    reader.complete(value)
    return reader
  }

  private init(folder: String, access: FileAccess, template: PathTemplate) {
    (self.folder, self.access, self.template) = (folder, access, template)
  }

  /// The lowest 2xx that every request may get, or the lowest such status; `nil` for a route without replies.
  ///
  /// A variant is the default only without any other reply.
  var defaultStatus: Response.Status? {
    let open = replies.filter(\.isUnconditional)
    let unnamed = open.filter { !$0.isVariant }
    let defaults = (unnamed.isEmpty ? open : unnamed).compactMap(\.status)
    let successes = defaults.filter { 200...299 ~= $0.code }
    return successes.min { $0.code < $1.code } ?? defaults.min { $0.code < $1.code }
  }

  private mutating func read(_ value: JSON) {
    switch value.kind {
    case .string, .null: replies = [RouteReply("200", value)]
    case .number: number(value)
    case .array: list(value, of: nil)
    case .object: mapping(value)
    case .true, .false:
      reader.report(
        "expected a string, a status or a mapping for a route, found a boolean", at: value,
        help: "quote it to send it as text")
    }
  }

  private mutating func number(_ value: JSON) {
    guard let code = value.int, 200...599 ~= code else {
      return reader.report(
        "`\(value.text)` is not a status: expected a number from 200 to 599", at: value,
        help: "quote it to send it as text, or write `json: \(value.text)`")
    }
    replies = [RouteReply(String(code), value)]
  }

  private mutating func mapping(_ value: JSON) {
    if let files = value["files"] {
      reader.checkKeys(of: value, ["files", "summary"])
      return staticFiles(files)
    }
    let names = value.members.map(\.name)
    let statuses = names.filter { Self.status(of: $0) != nil }
    guard !statuses.isEmpty else {
      if let name = name(of: value, nil) { replies = [RouteReply(name, value)] }
      return
    }
    for member in value.distinctMembers {
      guard let status = Self.status(of: member.name), status.code >= 200 else {
        reader.report(
          "`\(member.name)` is not a status: expected 200 to 599, as in `404: {}`", at: member.key,
          help: "beside statuses a route has no other keys: move the key into the reply of a status")
        continue
      }
      if member.value.isArray {
        list(member.value, of: member.name)
      } else if let name = name(of: member.value, member.name) {
        replies.append(RouteReply(name, member.value))
      }
    }
  }

  /// The status of `200` or `200.empty`.
  private static func status(of name: String) -> Response.Status? {
    guard let status = Response.Status(String(name.prefix { $0 != "." })) else { return nil }
    return status == .default && name.utf8.contains(UInt8(ascii: ".")) ? nil : status
  }

  /// The name of a reply: its status in the file, or the `status` of its description, 200 by default.
  private mutating func name(of reply: JSON, _ status: String?) -> String? {
    guard let own = reply["status"] else { return status ?? "200" }
    if let status {
      reader.report("the reply of `\(status)` has a `status` of its own", at: own, help: "remove one of them")
      return nil
    }
    guard let code = own.int, 200...599 ~= code else {
      reader.report(
        "expected a status from 200 to 599 for `status`", at: own, help: "write a number, as in `status: 404`")
      return nil
    }
    return String(code)
  }

  /// Several replies, of which the conditional ones have numbers unless they have names.
  ///
  /// - Parameter status: The status of all of them; `nil` where each may have its own.
  private mutating func list(_ value: JSON, of status: String?) {
    guard value.count > 0 else { return reader.report("expected at least one reply, found an empty list", at: value) }
    for (index, element) in value.elements.enumerated() {
      guard let name = name(of: element, status) else { continue }
      let isDefault = element["when"] == nil
      let own = element["name"]?.string ?? (isDefault ? nil : String(index + 1))
      replies.append(RouteReply(own.map { "\(name).\($0)" } ?? name, element))
    }
  }

  private mutating func staticFiles(_ value: JSON) {
    guard let name = reader.string(value, of: "`files`") else { return }
    guard template.hasRest else {
      return reader.report(
        "static files need a path that ends with `/*`", at: value, help: "write `/static/*: {files: \(name)}`")
    }
    let path = Path.join(folder, name)
    if let problem = access.available(to: value.path).problem(of: path) {
      return reader.report("the folder `\(path)` is outside the project folders", at: value, help: problem.help)
    }
    guard FileSystem.isFolder(path) else {
      return reader.report(
        "there is no folder `\(path)`", at: value, help: "the path is relative to the routes file")
    }
    let found = StaticFolder(path)
    folders.append(path)
    for problem in found.problems { reader.report(problem, at: value) }
    replies = found.files.map { RouteReply("200.\($0.name)", value, .file($0.path, targets: $0.targets)) }
    if replies.isEmpty { reader.report("the folder `\(path)` has no files", at: value) }
  }

  /// Adds a 404 where conditions may leave a request without a reply, and the responses of all statuses.
  private mutating func complete(_ value: JSON) {
    var seen: Set<String> = []
    replies = replies.filter { reply in
      if seen.insert(reply.fileName).inserted { return true }
      reader.report(
        "the route has two replies named `\(reply.label)`", at: reply.node, help: "give one of them another `name`")
      return false
    }
    if !replies.isEmpty, defaultStatus == nil {
      let text = folders.isEmpty ? "no reply of the route is for this request" : "there is no such file"
      replies.append(RouteReply("404", value, .text(text + "\n")))
    }
    for reply in replies {
      guard let status = reply.status, !responses.contains(where: { $0.status == status }) else { continue }
      responses.append(
        Response(status: status, meaning: status.description, headers: [], content: [], node: reply.node))
    }
  }
}

extension RouteReply {
  /// `200.empty`
  fileprivate var label: String { String(fileName.dropLast(Self.fileExtension.count + 1)) }

  /// Whether it has the name of a variant: `200.empty`.
  fileprivate var isVariant: Bool { label.utf8.contains(UInt8(ascii: ".")) }

  fileprivate var status: Response.Status? { Response.Status(String(label.prefix { $0 != "." })) }
}
