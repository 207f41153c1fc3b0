extension Rule {
  private static func response(
    _ id: String, _ severity: Severity, _ summary: String, help: String = "", _ old: String, _ new: String,
    quiet: (old: String, new: String)? = nil
  ) -> Rule {
    diff("response.\(id)", severity, summary, help: help, old: old, new: new, quiet: quiet, text: responses)
  }

  private static let ok = #""200": {description: OK}"#

  package static let successRemoved = response(
    "success-removed", .error, "A successful response was removed", "\(ok)\n\"201\": {description: Made}", ok)
  package static let successAdded = response(
    "success-added", .warning, "A successful response was added",
    help: "A client that knows only the old statuses may not handle it.", ok, "\(ok)\n\"202\": {description: Later}",
    quiet: ("2XX: {description: OK}", "2XX: {description: OK}\n\"202\": {description: Later}"))
  package static let errorRemoved = response(
    "error-removed", .info, "An error response was removed", "\(ok)\n\"404\": {description: None}", ok,
    quiet: (
      "\(ok)\n\"404\": {description: None}\ndefault: {description: Error}", "\(ok)\ndefault: {description: Error}"
    ))
  package static let errorAdded = response(
    "error-added", .info, "An error response was added", ok, "\(ok)\n\"404\": {description: None}")
  package static let defaultRemoved = response(
    "default-removed", .warning, "The `default` response was removed",
    "\(ok)\ndefault: {description: Error}", ok)
  package static let defaultAdded = response(
    "default-added", .info, "A `default` response was added", ok, "\(ok)\ndefault: {description: Error}")
  package static let responseMediaTypeRemoved = response(
    "media-type-removed", .error, "A media type of a response was removed",
    help: "The `Accept` of a client may not be met any more.",
    "\"200\": {description: OK, content: {application/json: {}, text/csv: {}}}",
    "\"200\": {description: OK, content: {application/json: {}}}")
  package static let responseMediaTypeAdded = response(
    "media-type-added", .info, "A media type of a response was added",
    "\"200\": {description: OK, content: {application/json: {}}}",
    "\"200\": {description: OK, content: {application/json: {}, text/csv: {}}}")
  package static let responseMediaTypeGeneralized = response(
    "media-type-generalized", .error, "A media type of a response became a range",
    "\"200\": {description: OK, content: {application/json: {}}}",
    "\"200\": {description: OK, content: {application/*: {}}}")
  package static let responseSchemaRemoved = response(
    "schema-removed", .warning, "The schema of a response body was removed",
    "\"200\": {description: OK, content: {application/json: {schema: {type: object}}}}",
    "\"200\": {description: OK, content: {application/json: {}}}")
  package static let headerRemoved = response(
    "header-removed", .error, "A required response header was removed",
    "\"200\": {description: OK, headers: {ETag: {required: true, schema: {type: string}}}}", ok)
  package static let headerRemovedOptional = response(
    "header-removed-optional", .warning, "An optional response header was removed",
    "\"200\": {description: OK, headers: {ETag: {schema: {type: string}}}}", ok)
  package static let headerOptional = response(
    "header-optional", .error, "A response header became optional",
    "\"200\": {description: OK, headers: {ETag: {required: true, schema: {type: string}}}}",
    "\"200\": {description: OK, headers: {ETag: {schema: {type: string}}}}")
  package static let headerAdded = response(
    "header-added", .info, "A response header was added", ok,
    "\"200\": {description: OK, headers: {ETag: {schema: {type: string}}}}")
  package static let linkRemoved = diff(
    "link.removed", .warning, "A link of a response was removed", old: link(), new: ok, text: responses)
  package static let linkChanged = diff(
    "link.changed", .warning, "A link of a response leads elsewhere, or sends other values", old: link(),
    new: link("parameters: {page: $response.body#/next}"), quiet: (link(), link()), text: responses)
  package static let linkAdded = diff(
    "link.added", .info, "A link of a response was added", old: ok, new: link(), text: responses)

  /// A response with a link.
  private static func link(_ parameters: String = "parameters: {page: $response.body#/after}") -> String {
    "\"200\":\n  description: OK\n  links: {next: {operationId: list, \(parameters)}}"
  }

  static let diffResponses: [Rule] = [
    successRemoved, successAdded, errorRemoved, errorAdded, defaultRemoved, defaultAdded, responseMediaTypeRemoved,
    responseMediaTypeAdded, responseMediaTypeGeneralized, responseSchemaRemoved, headerRemoved, headerRemovedOptional,
    headerOptional, headerAdded, linkRemoved, linkChanged, linkAdded,
  ]

  // MARK: - Security

  private static func security(
    _ id: String, _ severity: Severity, _ summary: String, help: String = "", _ old: String, _ new: String,
    quiet: (old: String, new: String)? = nil, schemes: (old: String, new: String)? = nil,
    quietSchemes: (old: String, new: String)? = nil
  ) -> Rule {
    let standard = """
      key: {type: apiKey, in: header, name: X-Key}
      login: {type: http, scheme: bearer}
      oauth: {type: oauth2, flows: {}}
      """
    func text(_ security: String, _ definitions: String?) -> String {
      "components:\n  securitySchemes:\n\(indented(definitions ?? standard, by: 4))\n"
        + "paths: {/pets: {get: {security: \(security), responses: {}}}}"
    }
    let still = quietSchemes ?? schemes.map { ($0.old, $0.old) }
    return diff(
      "security.\(id)", severity, summary, help: help, old: text(old, schemes?.old), new: text(new, schemes?.new),
      quiet: (
        text(quiet?.old ?? (schemes == nil ? new : old), still?.old),
        text(quiet?.new ?? (schemes == nil ? old : new), still?.new)
      ), text: contract)
  }

  package static let securityRemoved = security(
    "removed", .error, "An alternative of credentials was removed", "[{key: []}, {login: []}]", "[{key: []}]",
    quiet: ("[{key: []}, {login: []}]", "[{login: []}, {key: []}]"))
  package static let securityAdded = security(
    "added", .info, "An alternative of credentials was added", "[{key: []}]", "[{key: []}, {login: []}]")
  package static let securitySchemeAdded = security(
    "scheme-added", .error, "An alternative of credentials needs one more", "[{key: []}]", "[{key: [], login: []}]")
  package static let securityScopeAdded = security(
    "scope-added", .error, "Credentials need one more scope", "[{oauth: [read]}]", "[{oauth: [read, write]}]")
  package static let securityIntroduced = security(
    "introduced", .error, "Credentials are now required", help: "`{}` and `[]` stand for requests without credentials.",
    "[]", "[{key: []}]", quiet: ("[]", "[{key: []}, {}]"))
  package static let securityDropped = security(
    "dropped", .warning, "Credentials are no longer required", help: "No client fails. Check that it is intended.",
    "[{key: []}]", "[{key: []}, {}]")
  package static let securityScopeRemoved = security(
    "scope-removed", .info, "Credentials need one scope less", "[{oauth: [read, write]}]", "[{oauth: [read]}]")
  package static let securitySchemeChanged = security(
    "scheme-changed", .error, "The definition of credentials changed",
    help: "The type, the location and the name of a key, and the scheme of HTTP authentication are compared.",
    "[{key: []}]", "[{key: []}]",
    schemes: ("key: {type: apiKey, in: header, name: X-Key}", "key: {type: apiKey, in: query, name: key}"),
    quietSchemes: ("key: {type: apiKey, in: header, name: X-Key}", "key: {type: apiKey, in: header, name: x-key}"))
  package static let oauthFlowRemoved = security(
    "oauth-flow-removed", .error, "A flow of OAuth 2 was removed", "[{oauth: []}]", "[{oauth: []}]",
    schemes: (oauth("implicit: {scopes: {}}, password: {scopes: {}}"), oauth("implicit: {scopes: {}}")),
    quietSchemes: (oauth("implicit: {scopes: {}}"), oauth("implicit: {scopes: {}}, password: {scopes: {}}")))
  package static let oauthScopeRemoved = security(
    "oauth-scope-removed", .error, "A scope of OAuth 2 is no longer defined",
    help: "A note if no operation of the old contract requires it.", "[{oauth: [read]}]", "[{oauth: [read]}]",
    schemes: (oauth("implicit: {scopes: {read: R, write: W}}"), oauth("implicit: {scopes: {write: W}}")),
    quietSchemes: (oauth("implicit: {scopes: {read: R}}"), oauth("implicit: {scopes: {read: R, write: W}}")))
  package static let oauthURL = security(
    "oauth-url", .warning, "An address of OAuth 2 changed",
    help: "`authorizationUrl`, `tokenUrl` and `refreshUrl` are compared.", "[{oauth: []}]", "[{oauth: []}]",
    schemes: (
      oauth("password: {tokenUrl: \"https://example.com/a\", scopes: {}}"),
      oauth("password: {tokenUrl: \"https://example.com/b\", scopes: {}}")
    ))
  package static let openIDURL = security(
    "openid-url", .warning, "The address of OpenID Connect changed", "[{oidc: []}]", "[{oidc: []}]",
    schemes: (
      "oidc: {type: openIdConnect, openIdConnectUrl: \"https://example.com/a\"}",
      "oidc: {type: openIdConnect, openIdConnectUrl: \"https://example.com/b\"}"
    ))

  private static func oauth(_ flows: String) -> String { "oauth: {type: oauth2, flows: {\(flows)}}" }

  static let diffSecurity: [Rule] = [
    securityRemoved, securityAdded, securitySchemeAdded, securityScopeAdded, securityScopeRemoved, securityIntroduced,
    securityDropped, securitySchemeChanged, oauthFlowRemoved, oauthScopeRemoved, oauthURL, openIDURL,
  ]
}
