/// The key of a route: `GET /users/{id}`, or a path alone for GET.
struct RouteKey {
  var methods: [String]
  var path: String

  struct Problem: Error {
    var message: String
    var help: String
  }

  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY"]
  /// The word for the usual methods.
  static let anyMethod = "ANY"
  private static let anyMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
  /// The maximum number of segments of a path; the router ignores longer templates.
  private static let segmentLimit = 256

  init(_ text: String) throws(Problem) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    let example = "as in `GET /users/{id}`"
    guard let last = words.last, words.count <= 2 else {
      throw Problem(message: "`\(text)` is not a route: expected a method and a path", help: example)
    }
    guard last.utf8.first == UInt8(ascii: "/") else {
      let isMethodAlone = words.count == 1 && Self.methods.contains(last.uppercased())
      throw Problem(
        message: "the path of `\(text)` does not start with a slash",
        help: isMethodAlone ? "expected a method and a path, \(example)" : "write `/\(last)`, \(example)")
    }
    let method = words.count == 2 ? words[0].uppercased() : "GET"
    guard method == Self.anyMethod || Self.methods.contains(method) else {
      throw Problem(
        message: "`\(words[0])` is not a method",
        help: Suggestion.help(for: method, among: Self.methods + [Self.anyMethod]))
    }
    methods = method == Self.anyMethod ? Self.anyMethods : [method]
    path = last
    if let problem = Self.problem(of: last) { throw problem }
  }

  private static func problem(of path: String) -> Problem? {
    let template = PathTemplate(path, isRoute: true)
    let literals = template.segments.joined().compactMap { part -> String? in
      if case .literal(let bytes) = part { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
    if literals.contains(where: { $0.utf8.contains(UInt8(ascii: "?")) }) {
      return Problem(
        message: "the path `\(path)` has a query",
        help: "leave it out, and add `when: {query: {NAME: VALUE}}` to a reply")
    }
    if literals.contains(where: { $0.utf8.contains { "{}#".utf8.contains($0) } }) {
      return Problem(
        message: "the path `\(path)` has a brace without its counterpart, or a fragment",
        help: "a variable is `{name}` or `{name:regular expression}`")
    }
    if let name = path.split(separator: "/").first(where: { $0.hasPrefix(":") && $0.count > 1 })?.dropFirst() {
      return Problem(
        message: "`:\(name)` in `\(path)` is not a variable", help: "a variable is `{\(name)}`, as in OpenAPI")
    }
    if literals.contains(where: { $0.utf8.contains(UInt8(ascii: "*")) }) {
      return Problem(
        message: "`*` in `\(path)` is not the whole last segment",
        help: "`{name}` stands for one segment, and `/*` at the end for one or more")
    }
    if template.segments.count > segmentLimit {
      return Problem(message: "a path has at most \(segmentLimit) segments", help: "end it with `/*`")
    }
    var seen: Set<[UInt8]> = []
    for name in template.names {
      let text = String(decoding: name, as: UTF8.self)
      if name.isEmpty {
        return Problem(message: "a variable of `\(path)` has no name", help: "write `{id}` or `{id:[0-9]+}`")
      }
      if !seen.insert(name).inserted {
        return Problem(message: "the path `\(path)` has `{\(text)}` twice", help: "give each variable its own name")
      }
      if let pattern = template.patterns[text], let reason = Pattern.problem(pattern) {
        return Problem(
          message: "the pattern of `{\(text)}` is not a regular expression: \(reason)",
          help: "expected a pattern of ECMA-262, as in `{id:[0-9]+}`")
      }
    }
    return nil
  }
}
