import UnderstudyTestSupport

/// A contract whose three operations take a token each: as ID token in a header, as bearer token, as one that must be a JWT.
enum Guarded {
  static let contract = """
    openapi: 3.1.0
    info: {title: Guarded, version: "1"}
    x-understudy: {unauthorized: 403}
    paths:
      /id:
        get:
          operationId: readByID
          security: [{idtoken: []}]
          responses: {"204": {description: Fine.}, "403": {description: Not you.}}
      /bearer:
        get:
          operationId: readByBearer
          security: [{bearer: []}]
          responses: {"204": {description: Fine.}, "403": {description: Not you.}}
      /jwt:
        get:
          operationId: readByJWT
          security: [{jwt: []}]
          responses: {"204": {description: Fine.}, "403": {description: Not you.}}
    components:
      securitySchemes:
        idtoken: {type: apiKey, in: header, name: idtoken}
        bearer: {type: http, scheme: bearer}
        jwt: {type: http, scheme: bearer, bearerFormat: JWT}

    """

  /// Serves it with these settings of tokens; `body` gets the mock and its folder.
  static func serving(
    tokens: String, _ files: [String: String] = [:], _ body: (ServedMock, _ folder: String) throws -> Void
  ) throws {
    let own = ["guarded.yaml": contract, "understudy.yaml": "contracts: [guarded.yaml]\ntokens: \(tokens)\n"]
    try withProject(own.merging(files) { _, new in new }) { folder in
      let mock = try ServedMock([], in: folder)
      defer { mock.stop() }
      try body(mock, folder)
    }
  }
}

extension ServedMock {
  /// The status that an ID token gets.
  func status(idToken token: String) throws -> Int { try Curl.get(url + "/id", ("idtoken", token)).status }

  /// The status that a bearer token gets.
  func status(bearer token: String, _ path: String = "/bearer") throws -> Int {
    try Curl.get(url + path, ("Authorization", "Bearer \(token)")).status
  }
}
