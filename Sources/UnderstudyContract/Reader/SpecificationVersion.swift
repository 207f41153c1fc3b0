/// Detects the version of a document.
enum SpecificationVersion {
  struct Refusal: Error { var diagnostic: Diagnostic }

  private static let expected = "expected `openapi: 3.0.x`, `3.1.x`, `3.2.x` or `swagger: \"2.0\"`"

  /// The uses of documents that are no contracts.
  private static let uses = [
    "asyncapi": "it declares the sockets of a contract that lies beside it: shop.asyncapi.yaml beside shop.yaml",
    "overlay": "it changes a contract: understudy serve shop.yaml --apply-overlay FILE",
  ]

  static func detect(in root: JSON) -> Result<Specification, Refusal> {
    guard root.isObject else {
      if let tool = ForeignTool(of: root) {
        return refuse(
          "this is \(tool.article), not OpenAPI: \(expected)", root, help: "import it: understudy import \(tool) FILE")
      }
      let help = root.isArray ? "a file of data has its lists in an object: {\"posts\": [...]}" : nil
      let isEmpty = root.document.source?.bytes.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) } == true
      return isEmpty
        ? refuse("the file is empty: \(expected)", root)
        : refuse("this is not an OpenAPI document: \(expected), found \(root.kindWithArticle)", root, help: help)
    }
    if let version = root["openapi"] {
      switch Array(version.scalarText.split(separator: ".", omittingEmptySubsequences: false).prefix(2)) {
      case ["3", "0"]: return .success(.openAPI30)
      case ["3", "1"]: return .success(.openAPI31)
      case ["3", "2"]: return .success(.openAPI32)
      default: return refuse("unknown version `\(version.scalarText)`: \(expected)", version)
      }
    }
    if let version = root["swagger"] {
      // In YAML an unquoted `2.0` is a number.
      return version.scalarText == "2.0" || version.scalarText == "2"
        ? .success(.swagger2) : refuse("unknown version `\(version.scalarText)`: \(expected)", version)
    }
    for other in ["asyncapi", "arazzo", "overlay", "swaggerVersion"] {
      if let key = root.key(other) {
        return refuse("this is an `\(other)` document, not OpenAPI: \(expected)", key, help: uses[other])
      }
    }
    let keys = root.members.prefix(100).map(\.name)
    for name in ["openapi", "swagger", "routes"] {
      if let near = Suggestion.nearest(to: name, among: keys), let key = root.key(near) {
        return refuse("the document has no version: \(expected)", key, help: "did you mean `\(name)`?")
      }
    }
    if let (kind, help) = other(than: keys, root) {
      return refuse("this is \(kind), not OpenAPI: \(expected)", root, help: help)
    }
    if let routes = root["routes"], routes.isArray {
      return refuse(
        "`routes` is a list: \(expected), or a mapping of routes", routes, help: "write `routes: {GET /health: ok}`")
    }
    if let route = root.members.prefix(100).first(where: { (try? RouteKey($0.name)) != nil }) {
      return refuse(
        "`\(route.name)` is a route without `routes:` above it: \(expected), or `routes:`", route.key,
        help: "write `routes:` in the first line, and indent the routes")
    }
    if DataDetection.isData(root), root.members.contains(where: { $0.value.isArray && $0.value.count > 0 }) {
      return refuse(
        "this is a file of data, as json-server has them, not OpenAPI: \(expected)", root,
        help: "name it NAME.json, and it is served as collections; lists of objects and objects are its members")
    }
    if let odd = DataDetection.oddMember(of: root) {
      return refuse(
        "this is neither a contract nor data: \(expected), or lists of objects and objects alone; "
          + "`\(odd.name)` is \(odd.value.kindWithArticle)", odd.value,
        help: "remove `\(odd.name)`, or move it into an object")
    }
    return refuse(
      "the document has no version: \(expected)", root,
      help: "data that is served without a contract has lists of objects: {\"posts\": [{\"id\": 1}]}")
  }

  /// Whether a document is data that is served as collections, and no file of another tool.
  static func isData(_ root: JSON) -> Bool {
    let keys = root.members.prefix(100).map(\.name)
    return DataDetection.isData(root) && other(than: keys, root) == nil
      && !["openapi", "swagger", "asyncapi", "arazzo", "overlay", "swaggerVersion"].contains { root[$0] != nil }
  }

  /// A file of another tool, and what to do with it; `nil` for any other document.
  private static func other(than keys: [String], _ root: JSON) -> (kind: String, help: String)? {
    if root["log"]?["entries"] != nil {
      return (
        "a HAR", "draft a contract from it: understudy record --from FILE --draft api.yaml; or record fixtures with one"
      )
    }
    if let tool = ForeignTool(of: root) { return (tool.article, "import it: understudy import \(tool) FILE") }
    if keys.contains("mappings") || keys.contains("request") && keys.contains("response") {
      return ("a stub of WireMock", "import it: understudy import wiremock FILE")
    }
    return nil
  }

  private static func refuse(_ message: String, _ value: JSON, help: String? = nil) -> Result<Specification, Refusal> {
    .failure(Refusal(diagnostic: Diagnostic(.specUnparsable, message, at: Location(start: value), help: help)))
  }
}
