extension Rule {
  /// The rules about routes files.
  package static let routes: [Rule] = [routesInvalid, routesClash]

  package static let routesInvalid = Rule(
    "routes.invalid", .error, owner: .contract, "A route cannot be read",
    help: """
      A route is a method and a path with a reply: a text, a status, a mapping of statuses to replies, or a folder of \
      static files. The other routes of the file are served.

          routes:
            GET /health: ok
            GET /users/{id}: {200: {json: {name: Ada}}, 404: {}}
            /static/*: {files: public}
      """)

  package static let routesClash = Rule(
    "routes.clash", .error, owner: .contract, "Two routes of a file match the same requests",
    help: """
      Routes are compared by method and path, without the names of variables: `GET /users/{id}` and `GET /users/{name}` are \
      the same route. The first one responds. Merge them, and tell the replies apart by `when`; or restrict a variable by a \
      pattern, as in `/users/{id:[0-9]+}`.
      """)
}
