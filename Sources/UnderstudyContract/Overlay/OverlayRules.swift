extension Rule {
  /// The rules about overlays.
  package static let overlay: [Rule] = [overlayInvalid, overlayUnmatched, overlayExtends, overlayField]

  package static let overlayInvalid = Rule(
    "overlay.invalid", .error, owner: .contract, "An overlay cannot be read or applied",
    help: """
      An overlay has a version (1.0 or 1.1), and actions with a `target`, a JSONPath of RFC 9535, and `update` or `remove`. \
      Objects are merged, elements are appended to arrays, and a primitive value replaces a primitive value. A contract \
      is not used with half of an overlay.

      reported:
          overlay: 1.0.0
          info: {title: Limits, version: "1"}
          actions:
            - {target: "$.paths[/pets].get", update: {deprecated: true}}
            - {target: $.info.title, update: Shop}

      valid:
          overlay: 1.0.0
          info: {title: Limits, version: "1"}
          actions:
            - {target: "$.paths['/pets'].get", update: {deprecated: true}}
            - {target: $.info, update: {title: Shop}}
      """)

  package static let overlayUnmatched = Rule(
    "overlay.unmatched", .warning, owner: .contract, "The target of an action selects nothing",
    help: """
      Overlays allow such actions (section 4.4.3), but most of them are older than their contract. `understudy lint \
      --fail-on warning` fails.

      reported, if the contract has the path `/pets` alone:
          - {target: "$.paths['/pet']", remove: true}

      valid:
          - {target: "$.paths['/pets']", remove: true}
      """)

  package static let overlayExtends = Rule(
    "overlay.extends", .warning, owner: .contract, "An overlay extends another document than the contract",
    help: """
      `extends` is a URI, relative to the overlay. Of several contracts it selects the one to change. A single contract is \
      changed nevertheless.

      reported for shop.yaml:
          extends: ./store.yaml

      valid:
          extends: ./shop.yaml
      """)

  package static let overlayField = Rule(
    "overlay.field", .warning, owner: .contract, "An overlay has an unknown field or lacks a required field",
    help: """
      Unknown fields have no effect, so a misspelt one changes nothing. Names of extensions begin with `x-`.

      reported:
          - {target: $.info, updates: {title: Shop}}

      valid:
          - {target: $.info, update: {title: Shop}, x-reason: trademark}
      """)
}
