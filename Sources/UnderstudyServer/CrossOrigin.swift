import HTTPTypes

/// The fields by which an answer lets a page of another origin read it (Fetch standard, CORS protocol).
enum CrossOrigin {
  /// What to add to an answer to a request that names its origin. A response that speaks of origins itself, such as the
  /// answer to a preflight, is left alone.
  static func fields(for response: HTTPResponse, origin: String) -> [(name: String, value: String)] {
    guard response.headerFields[.accessControlAllowOrigin] == nil else { return [] }
    // With credentials, browsers take neither `*` for the origin nor `*` for the exposed fields.
    var fields = [
      (name: "Access-Control-Allow-Origin", value: origin), (name: "Access-Control-Allow-Credentials", value: "true"),
    ]
    var exposed: [String] = []
    for field in response.headerFields where !safelisted.contains(field.name.canonicalName) {
      if !exposed.contains(field.name.rawName) { exposed.append(field.name.rawName) }
    }
    if !exposed.isEmpty {
      fields.append((name: "Access-Control-Expose-Headers", value: exposed.joined(separator: ", ")))
    }
    fields.append((name: "Vary", value: "Origin"))
    return fields
  }

  /// Readable without being exposed (CORS-safelisted response-header names), or never readable (`set-cookie`).
  private static let safelisted: Set<String> = [
    "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
    "set-cookie",
  ]
}
