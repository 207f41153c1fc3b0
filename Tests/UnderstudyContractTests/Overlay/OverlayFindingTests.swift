import Testing
import UnderstudyContract
import UnderstudyTestSupport

/// The findings about overlays, and the positions of findings in contracts that overlays changed.
struct OverlayFindingTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets: {get: {tags: [a], responses: {"200": {description: OK}}}}
    """

  private static func read(
    _ overlay: String, contract: String = contract, path: String = "api.yaml", contracts: [String] = []
  ) -> (api: API?, findings: [Diagnostic]) {
    var settings = OverlaySettings(files: ["o/o.yaml"])
    settings.contracts = contracts
    let (api, findings) = OpenAPIReader.read(
      path, overlays: settings, from: .inMemory([path: contract, "o/o.yaml": overlay]))
    return (api, findings)
  }

  private static func overlay(_ actions: String, version: String = "1.0.0") -> String {
    "overlay: \(version)\ninfo: {title: T, version: \"1\"}\nactions:\n\(actions)\n"
  }

  static let errors: [(String, String)] = [
    ("↓- 1", "this is not an overlay: expected `overlay: 1.0.0` or `overlay: 1.1.0`, found an array"),
    ("↓openapi: 3.1.0", "this is an OpenAPI document, not an overlay: expected `overlay: 1.0.0` or `overlay: 1.1.0`"),
    ("↓actions: []", "this is not an overlay, since it has no version: expected `overlay: 1.0.0` or `overlay: 1.1.0`"),
    ("overlay: ↓2.0.0", "unknown version `2.0.0`: expected `overlay: 1.0.0` or `overlay: 1.1.0`"),
    ("↓overlay: 1.0.0\ninfo: {title: T, version: \"1\"}", "an overlay requires `actions`, a list of changes"),
    (
      "overlay: 1.0.0\ninfo: {title: T, version: \"1\"}\nactions: ↓{}",
      "expected a list of actions for `actions`, found object"
    ),
    (overlay("- ↓a"), "expected an action, as in `{target: $.info, update: {title: Shop}}`, found string"),
    (overlay("- ↓update: {}"), "an action requires `target`, a JSONPath"),
    (overlay("- {target: ↓[], update: {}}"), "expected text for `target`, found array"),
    (
      overlay("- target: $.paths[↓/pets].get\n  update: {}"),
      "`target` is not a JSONPath: expected a name in quotes, an index, a slice, `*` or `?`"
    ),
    (
      overlay("- {target: \"$.paths[↓/pets]\", update: {}}"),
      "`target` is not a JSONPath: expected a name in quotes, an index, a slice, `*` or `?`"
    ),
    (overlay("- {target: ↓paths, update: {}}"), "`target` is not a JSONPath: expected `$` at the start of a JSONPath"),
    (overlay("- {target: ↓\"$[?match(@.a, '(')]\", update: {}}"), "the pattern `(` never matches: "),
    (overlay("- {target: $.info, remove: ↓yes}"), "expected `true` or `false` for `remove`, found string"),
    (overlay("- {target: $.info, ↓copy: $.info}"), "`copy` is unknown to version 1.0: expected `update` or `remove`"),
    (
      overlay("- ↓{target: $.info, copy: $.info, update: {}}", version: "1.1.0"),
      "an action has both `update` and `copy`: expected either"
    ),
    (
      overlay("- {target: $.info, copy: ↓$.info.*}", version: "1.1.0"),
      "`copy` selects 2 values: expected a JSONPath of one value"
    ),
    (overlay("- {target: ↓$, remove: true}"), "the action removes the whole document: expected a target below `$`"),
    (overlay("- {target: $.info, update: ↓[1]}"), "an array cannot be merged with an object: expected an object"),
    (overlay("- {target: $.info, update: ↓null}"), "null cannot be merged with an object: expected an object"),
    (
      overlay("- {target: $, update: {info: {title: ↓[1]}}}"),
      "an array cannot be merged with a string: expected a primitive value"
    ),
    (
      overlay("- {target: ↓$.info.title, update: Shop}"),
      "the target is a string: version 1.0 updates objects and arrays alone"
    ),
    (
      overlay("- {target: $.info.title, update: ↓{a: 1}}", version: "1.1.0"),
      "an object cannot be merged with a string: expected a primitive value"
    ),
    (
      overlay("- {target: ↓$.paths.*.get.*, update: {}}", version: "1.1.0"),
      "the target selects an array and an object: expected values of one kind"
    ),
    (
      "overlay: 1.0.0\ninfo: {title: T, version: \"1\"}\nactions: []\n↓actions: []",
      "duplicate key `actions` in one object"
    ),
  ]

  @Test(arguments: errors)
  func `an invalid overlay leaves the contract unused, with the position in the overlay`(
    _ text: String, _ message: String
  ) throws {
    let marked = MarkedText(text)
    let (api, findings) = Self.read(marked.text)
    #expect(api == nil)
    let finding = try #require(findings.first { $0.severity == .error })
    #expect(finding.rule == .overlayInvalid)
    #expect(finding.message.hasPrefix(message), "\(finding.message)")
    #expect(finding.location?.path == "o/o.yaml")
    #expect([finding.location?.range?.lowerBound] == marked.offsets)
  }

  static let warnings: [(String, Rule, String)] = [
    (
      overlay("- {target: ↓\"$.paths['/pet']\", remove: true}"), .overlayUnmatched,
      "the target selects nothing: there is no `/pet`"
    ),
    (overlay("- {target: ↓$.paths.*.post, update: {}}"), .overlayUnmatched, "the target selects nothing"),
    (overlay("- {target: '$.info', ↓updates: {}, update: {}}"), .overlayField, "unknown key `updates`"),
    (overlay("- ↓{target: $.info}"), .overlayField, "the action changes nothing: expected `update` or `remove: true`"),
    (
      "overlay: 1.0.0\ninfo: {title: T, version: \"1\"}\nactions: ↓[]", .overlayField,
      "`actions` is empty, so the overlay changes nothing"
    ),
    ("↓overlay: 1.0.0\nactions: [{target: $.info, update: {}}]", .overlayField, "an overlay requires `info`"),
    (
      "overlay: 1.0.0\ninfo: ↓{title: T}\nactions: [{target: $.info, update: {}}]", .overlayField,
      "`info` requires `version`"
    ),
  ]

  @Test(arguments: warnings)
  func `a doubtful overlay is applied with a warning`(_ text: String, _ rule: Rule, _ message: String) throws {
    let marked = MarkedText(text)
    let (api, findings) = Self.read(marked.text)
    #expect(api != nil)
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.rule) == [rule])
    #expect(findings.map(\.severity) == [.warning])
    #expect(findings.map { $0.location?.range?.lowerBound } == marked.offsets.map { $0 })
  }

  @Test func `a name with a hyphen outside of brackets has its own advice`() {
    let finding = Self.read(Self.overlay("- {target: '$.info[?@.x-oai-traits]', remove: true}")).findings.first
    #expect(finding?.help == "a name with a hyphen is written in brackets: `@['x-oai-traits']`")
    #expect(finding?.location?.column == 24)
  }

  @Test func `a target that is misspelt gets a suggestion`() {
    let findings = Self.read(Self.overlay("- {target: \"$.paths['/pet']\", remove: true}")).findings
    #expect(findings.first?.help == "did you mean `/pets`?")
  }

  @Test func `extensions of an overlay are known`() {
    let overlay = Self.overlay("- {target: $.info, update: {}, x-reason: none}") + "x-owner: shop\n"
    #expect(Self.read(overlay).findings == [])
  }

  // MARK: - Positions

  @Test func `findings about added values are in the overlay, and those about others in the contract`() throws {
    let contract = MarkedText(
      Self.contract.replacing("tags: [a]", with: "deprecated: ↓no, tags: [a]"), path: "api.yaml")
    let overlay = MarkedText(
      Self.overlay("- {target: \"$.paths['/pets'].get\", update: {summary: ↓[], responses: {\"404\": ↓{}}}}"))
    let (api, findings) = Self.read(overlay.text, contract: contract.text)
    let all = Linter.lint(try #require(api))
    #expect(findings.map(\.rule.id) == ["spec.type", "spec.type"])
    let places = all.map { "\($0.location?.path ?? "") \($0.location?.range?.lowerBound ?? -1)" }
    #expect(
      places == contract.offsets.map { "api.yaml \($0)" } + overlay.offsets.map { "o/o.yaml \($0)" },
      "\(all.map(\.message))")
    #expect(all.last?.location?.pointer == "/paths/~1pets/get/responses/404")
    #expect(all.last?.location?.line == 4)
  }

  @Test func `a broken reference of an update is reported in the overlay`() throws {
    let overlay = MarkedText(Self.overlay("- {target: $.paths, update: {/a: {$ref: ↓\"#/components/pathItems/A\"}}}"))
    let finding = try #require(Self.read(overlay.text).findings.first)
    #expect(finding.rule.id == "spec.ref.unresolved")
    #expect(finding.location?.path == "o/o.yaml")
    #expect([finding.location?.range?.lowerBound] == overlay.offsets)
  }

  @Test func `values of a second overlay are reported in the second`() throws {
    let second = MarkedText(Self.overlay("- {target: \"$.paths['/pets'].get\", update: {summary: ↓1}}"))
    let files = [
      "api.yaml": Self.contract, "1.yaml": Self.overlay("- {target: $.paths.*.*, update: {description: first}}"),
      "2.yaml": second.text,
    ]
    let (_, findings) = OpenAPIReader.read(
      "api.yaml", overlays: OverlaySettings(files: ["1.yaml", "2.yaml"]), from: .inMemory(files))
    #expect(findings.map { $0.location?.path } == ["2.yaml"])
    #expect(findings.map { $0.location?.range?.lowerBound } == second.offsets.map { $0 })
  }

  @Test func `the files of a contract include its overlays`() {
    let api = Self.read(Self.overlay("- {target: $.info, update: {}}")).api
    #expect(api?.files.map(\.path) == ["api.yaml", "o/o.yaml"])
  }

  // MARK: - Extends

  @Test(arguments: ["../api.yaml", "./../api.yaml", "../x/../api.yaml"])
  func `extends is relative to the overlay`(_ extends: String) {
    let overlay = Self.overlay("- {target: $.info, update: {}}") + "extends: \(extends)\n"
    #expect(Self.read(overlay, contracts: ["api.yaml"]).findings == [])
  }

  @Test func `a single contract is changed by an overlay of another document, with a warning`() {
    let overlay = MarkedText(Self.overlay("- {target: $.info, update: {title: New}}") + "extends: ↓api.yaml\n")
    let (api, findings) = Self.read(overlay.text, contracts: ["api.yaml"])
    #expect(api?.title == "New")
    #expect(findings.map(\.message) == ["the overlay extends `api.yaml`, and is applied to api.yaml"])
    #expect(findings.map { $0.location?.range?.lowerBound } == overlay.offsets.map { $0 })
  }

  @Test func `extends selects a contract by its location`() {
    let overlay = Self.overlay("- {target: $.info, update: {title: New}}") + "extends: ../b.yaml\n"
    for (path, title) in [("a.yaml", "Pets"), ("b.yaml", "New")] {
      let (api, findings) = Self.read(overlay, path: path, contracts: ["a.yaml", "b.yaml"])
      #expect(api?.title == title)
      #expect(findings == [])
    }
  }

  @Test func `an overlay of no contract changes none of several, with one warning`() {
    let overlay = Self.overlay("- {target: $.info, update: {title: New}}") + "extends: ../c.yaml\n"
    let all = ["a.yaml", "b.yaml"].map { Self.read(overlay, path: $0, contracts: ["a.yaml", "b.yaml"]) }
    #expect(all.map(\.api?.title) == ["Pets", "Pets"])
    #expect(all.map { $0.findings.map(\.rule) } == [[.overlayExtends], []])
  }

  // MARK: - Other documents

  @Test(arguments: [
    ("routes: {GET /health: ok}", "a routes file"), ("{\"posts\": [{\"id\": 1}]}", "a file of data"),
  ])
  func `an overlay changes no document of another kind`(_ text: String, _ kind: String) {
    let path = text.hasPrefix("{") ? "db.json" : "routes.yaml"
    let (api, findings) = Self.read(Self.overlay("- {target: $.info, update: {}}"), contract: text, path: path)
    #expect(api == nil)
    #expect(
      findings.map(\.message) == [
        "the overlay o/o.yaml cannot change \(path), which is \(kind): expected an OpenAPI document"
      ])
  }

  @Test func `an overlay that is missing or is not YAML is an error`() {
    for (text, rule) in [(nil, "config.unreadable"), ("overlay: [", "spec.unparsable")] as [(String?, String)] {
      var files = ["api.yaml": Self.contract]
      files["o.yaml"] = text
      let (api, findings) = OpenAPIReader.read(
        "api.yaml", overlays: OverlaySettings(files: ["o.yaml"]), from: .inMemory(files))
      #expect(api == nil)
      #expect(findings.map(\.rule.id) == [rule])
      #expect(findings.first?.location?.path == "o.yaml")
    }
  }

  @Test func `a document that is an overlay names the option for it`() {
    let refusal = ContractFixture("overlay: 1.0.0").read().diagnostics.first
    #expect(refusal?.help == "it changes a contract: understudy serve shop.yaml --apply-overlay FILE")
  }

  // MARK: - Limits

  private static func limited(_ actions: String, by limits: OverlayApplication.Limits? = nil) -> String? {
    var settings = OverlaySettings(files: ["o.yaml"])
    if let limits { settings.limits = limits }
    let files = [
      "api.yaml": contract + "\nxa: {b: {}}\nxl: [1]\n", "o.yaml": overlay(actions, version: "1.1.0"),
    ]
    let (api, findings) = OpenAPIReader.read("api.yaml", overlays: settings, from: .inMemory(files))
    return api == nil ? findings.first { $0.severity == .error }?.message : nil
  }

  @Test func `the size of added values is limited`() {
    let doubling = String(repeating: "- {target: $.xl, copy: $.xl}\n", count: 40)
    var limits = OverlayApplication.Limits()
    limits.size = 1 << 20
    #expect(Self.limited(doubling, by: limits) == "the limit of 1 MiB of added values is reached")
  }

  @Test func `the findings about targets are limited`() {
    let actions = String(repeating: "- {target: $.xnone, remove: true}\n", count: 103)
    let findings = Self.read(Self.overlay(actions)).findings
    #expect(findings.count == 101)
    #expect(findings.last?.message == "3 more targets selected nothing")
  }

  @Test func `the number of actions is limited`() {
    let actions = String(repeating: "- {target: $.xnone, remove: true}\n", count: 10_001)
    #expect(Self.limited(actions) == "the overlay has 10001 actions: expected up to 10000")
  }

  @Test func `the depth of the result is limited`() {
    let deeper = (0..<1_010).map { depth in
      "- {target: \"$.xa\(String(repeating: ".b", count: depth + 1))\", update: {b: {}}}"
    }
    #expect(Self.limited(deeper.joined(separator: "\n")) == "the limit of 1000 levels of nested values is reached")
  }

  @Test func `the work of all actions is limited`() {
    let costly = String(repeating: "- {target: '$..[?count($..*) == 0]', remove: true}\n", count: 100)
    var limits = OverlayApplication.Limits()
    limits.work = 100_000
    #expect(Self.limited(costly, by: limits) == "the limit of 100000 steps of all actions is reached")
    #expect(Self.limited("- {target: $..*..*, remove: true}") == nil)
  }
}
