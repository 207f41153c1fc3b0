/// A tool whose files can be imported.
package enum ForeignTool: String, CaseIterable, Sendable {
  case wiremock, mockoon, postman, mockserver, pact, hoverfly

  /// The name for people.
  package var title: String {
    switch self {
    case .wiremock: "WireMock"
    case .mockoon: "Mockoon"
    case .postman: "Postman"
    case .mockserver: "MockServer"
    case .pact: "Pact"
    case .hoverfly: "Hoverfly"
    }
  }

  /// The name of a file of the tool, with its article.
  var article: String {
    switch self {
    case .wiremock: "a stub of WireMock"
    case .mockoon: "an environment of Mockoon"
    case .postman: "a Postman collection"
    case .mockserver: "an expectation of MockServer"
    case .pact: "a Pact file"
    case .hoverfly: "a simulation of Hoverfly"
    }
  }

  /// The tool that a document belongs to, by its members.
  package init?(of root: JSON) {
    let first = root.isArray ? root[0] ?? root : root
    if root["log"]?["entries"] != nil { return nil }
    if root["info"]?["_postman_id"] != nil || root["info"]?["schema"]?.string?.contains("getpostman") == true {
      self = .postman
    } else if root["data"]?["pairs"] != nil {
      self = .hoverfly
    } else if root["lastMigration"] != nil && root["routes"]?.isArray == true {
      self = .mockoon
    } else if first["httpRequest"] != nil {
      self = .mockserver
    } else if root["consumer"] != nil && root["provider"] != nil {
      self = .pact
    } else if let mapping = root["mappings"]?[0] ?? (root["mappings"] == nil ? first : nil),
      mapping["request"]?.isObject == true, mapping["response"]?.isObject == true
    {
      self = .wiremock
    } else {
      return nil
    }
  }
}
