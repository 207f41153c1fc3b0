import HTTPTypes
import UnderstudyMock

/// The fields that let a page of another origin read an answer (Fetch standard, CORS protocol).
enum CrossOrigin {
  /// The fields to add to a response; none if it has such fields itself, as the response to a preflight does.
  static func fields(for response: HTTPResponse, origin: String) -> [(name: String, value: String)] {
    guard response.headerFields[.accessControlAllowOrigin] == nil else { return [] }
    // With credentials, browsers accept `*` neither for the origin nor for the exposed fields.
    var fields = [
      (name: "Access-Control-Allow-Origin", value: origin), (name: "Access-Control-Allow-Credentials", value: "true"),
    ]
    let exposed = response.headerFields.map(\.name).filter { !safelisted.contains($0.canonicalName) }.map(\.rawName)
      .unique()
    if !exposed.isEmpty {
      fields.append((name: "Access-Control-Expose-Headers", value: exposed.joined(separator: ", ")))
    }
    fields.append((name: "Vary", value: "Origin"))
    return fields
  }

  /// The fields in the lower case of HTTP/2.
  static func streamFields(for response: HTTPResponse, origin: String) -> [(name: String, value: String)] {
    fields(for: response, origin: origin).map { (name: $0.name.lowercased(), value: $0.value) }
  }

  /// Which origins may use a response without CORS (Fetch standard, 3.7).
  static let resourcePolicy: HTTPField.Name = {
    guard let name = HTTPField.Name("Cross-Origin-Resource-Policy") else { preconditionFailure("a token") }
    return name
  }()

  /// Always readable (CORS-safelisted response-header names), or never (`set-cookie`).
  private static let safelisted: Set<String> = [
    "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
    "set-cookie",
  ]
}
