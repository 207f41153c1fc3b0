/// Reads a document of the Overlay Specification, 1.0 or 1.1.
struct OverlayReader {
  private var findings = MappingReader(.overlayInvalid, unknownKey: .overlayField)
  private var overlay = Overlay()

  /// The maximum number of actions, and of members of an object of the overlay itself.
  private static let maximumCount = 10_000

  /// The overlay; `nil` if a finding is an error.
  static func read(_ document: JSONDocument) -> (overlay: Overlay?, findings: [Diagnostic]) {
    var reader = OverlayReader()
    let root = reader.findings.root(of: document)
    reader.read(root)
    let all = reader.findings.all
    return (all.contains { $0.severity == .error } ? nil : reader.overlay, all)
  }

  private mutating func read(_ root: JSON) {
    guard readVersion(root) else { return }
    checkKeys(of: root, ["overlay", "info", "extends", "actions"])
    readInfo(root)
    if let extends = root["extends"], findings.string(extends, of: "`extends`") != nil { overlay.extends = extends }
    guard let actions = root["actions"] else {
      return findings.report("an overlay requires `actions`, a list of changes", at: root)
    }
    guard let list = findings.list(actions, "a list of actions for `actions`") else { return }
    guard list.count <= Self.maximumCount else {
      return findings.report(
        "the overlay has \(list.count) actions: expected up to \(Self.maximumCount)", at: actions,
        help: "write several overlays, or select several values by one action")
    }
    if list.isEmpty {
      findings.report(.overlayField, "`actions` is empty, so the overlay changes nothing", at: actions)
    }
    for node in list {
      if let action = action(node) { overlay.actions.append(action) }
    }
  }

  /// Reports unknown fields; the position of each takes longer in a larger object.
  private mutating func checkKeys(of node: JSON, _ known: [String]) {
    guard node.count <= Self.maximumCount / 100 else {
      return findings.report("an object has \(node.count) fields: expected \(known.joined(separator: ", "))", at: node)
    }
    findings.checkKeys(of: node, known, except: \.key.isExtensionKey)
  }

  private mutating func readVersion(_ root: JSON) -> Bool {
    let expected = "expected `overlay: 1.0.0` or `overlay: 1.1.0`"
    guard root.isObject else {
      findings.report("this is not an overlay: \(expected), found \(root.kindWithArticle)", at: root)
      return false
    }
    guard let version = root["overlay"] else {
      if let key = root.key("openapi") ?? root.key("swagger") {
        findings.report(
          "this is an OpenAPI document, not an overlay: \(expected)", at: key,
          help: "name a contract without `--apply-overlay`, and outside of `overlays`")
      } else {
        let names = root.members.prefix(100).map(\.name)
        findings.report(
          "this is not an overlay, since it has no version: \(expected)", at: root,
          help: Suggestion.phrase(for: "overlay", among: names))
      }
      return false
    }
    // In YAML an unquoted `1.0` is a number.
    switch Array(version.scalarText.split(separator: ".", omittingEmptySubsequences: false).prefix(2)) {
    case ["1", "0"], ["1"]: return true
    case ["1", "1"]:
      overlay.isVersion11 = true
      return true
    default:
      findings.report(
        "unknown version `\(VisibleText.shortened(version.scalarText, to: 60))`: \(expected)", at: version)
      return false
    }
  }

  private mutating func readInfo(_ root: JSON) {
    let example = "write `info: {title: ..., version: ...}`"
    guard let info = root["info"] else {
      return findings.report(.overlayField, "an overlay requires `info`", at: root, help: example)
    }
    guard findings.isMapping(info, "a mapping for `info`") else { return }
    checkKeys(of: info, ["title", "version", "description"])
    for key in ["title", "version"] where info[key] == nil {
      findings.report(.overlayField, "`info` requires `\(key)`", at: info, help: example)
    }
  }

  // MARK: - Actions

  private mutating func action(_ node: JSON) -> Overlay.Action? {
    guard findings.isMapping(node, "an action, as in `{target: $.info, update: {title: Shop}}`") else { return nil }
    checkKeys(of: node, ["target", "description", "update", "remove", "copy"])
    guard let target = node["target"] else {
      return findings.reject("an action requires `target`, a JSONPath", at: node)
    }
    let isValid = isPath(target, of: "`target`")
    guard let change = change(node), isValid else { return nil }
    return Overlay.Action(target: target, change: change)
  }

  private mutating func change(_ node: JSON) -> Overlay.Change? {
    if let remove = node["remove"] {
      guard let isRemoval = findings.flag(remove, of: "`remove`") else { return nil }
      // The other changes then have no effect (section 4.4.3).
      if isRemoval { return .remove }
    }
    if let copy = node["copy"] {
      guard overlay.isVersion11 else {
        return findings.reject(
          "`copy` is unknown to version 1.0: expected `update` or `remove`", at: node.key("copy") ?? node,
          help: "write `overlay: 1.1.0`")
      }
      guard node["update"] == nil else {
        return findings.reject("an action has both `update` and `copy`: expected either", at: node)
      }
      return isPath(copy, of: "`copy`") ? .copy(copy) : nil
    }
    if let update = node["update"] { return .update(update) }
    findings.report(
      .overlayField, "the action changes nothing: expected `update` or `remove: true`", at: node)
    return nil
  }

  /// Reports unless a string is a JSONPath.
  private mutating func isPath(_ node: JSON, of title: String) -> Bool {
    guard let text = findings.string(node, of: title) else { return false }
    let problem: TextProblem
    do throws(TextProblem) {
      let path = try JSONPath(text)
      guard let broken = path.brokenPatterns.first else { return true }
      findings.report(
        "the pattern `\(VisibleText.shortened(broken.text, to: 60))` never matches: \(broken.reason)", at: node,
        help: "`match` and `search` take regular expressions of RFC 9485")
      return false
    } catch {
      problem = error
    }
    let isHyphen = text.utf8.dropFirst(problem.range.lowerBound).first == UInt8(ascii: "-")
    findings.add(
      Diagnostic(
        findings.invalid, "\(title) is not a JSONPath: \(problem.message)", at: Location(node, part: problem.range),
        help: isHyphen
          ? "a name with a hyphen is written in brackets: `@['x-oai-traits']`"
          : problem.help ?? "write a path such as `$.paths['/pets'].get` or `$.paths.*.*[?@.deprecated == true]`"))
    return false
  }
}
