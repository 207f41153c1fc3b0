import UnderstudyImport
import UnderstudyVerification

/// The result of an import, for people and as JSON.
struct ImportSummary {
  let tool: ForeignTool
  let output: ImportOutput
  let context: ImportContext

  /// The locations that are listed for each difference; the rest is counted.
  private static let locationLimit = 1

  var counts: String {
    let missing = context.count - output.carriedOver
    return "\(context.count.counted("stub")) read, \(output.carriedOver) carried over, \(missing) not"
  }

  /// The remarks by feature: parts without a counterpart with every location, differences with the first one.
  var text: String {
    var text = ""
    for (kind, title) in [(Remark.Kind.lost, "not carried over"), (.differs, "carried over with a difference")] {
      let remarks = output.remarks.filter { $0.kind == kind }
      guard !remarks.isEmpty else { continue }
      text += "\(title):\n"
      for (feature, list) in remarks.inGroups(by: \.feature) {
        if kind == .differs {
          let more = list.count > 1 ? " and \(list.count - 1) more" : ""
          text += "  \(list.count) \(feature): \(list[0].message)\n    \(list[0].location.shown)\(more)\n"
          continue
        }
        text += "  \(list.count) \(feature)\n"
        for remark in list { text += "    \(remark.location.shown): \(VisibleText.line(remark.message))\n" }
      }
    }
    return text
  }

  var json: String {
    let remarks = output.remarks.map { remark in
      JSON.object(
        ("kind", .string(remark.kind.rawValue)), ("feature", .string(remark.feature)),
        ("message", .string(remark.message)), ("file", remark.location.path.map { .string($0) }),
        ("line", remark.location.line.map { .integer($0) }), ("column", remark.location.column.map { .integer($0) }))
    }
    let value = JSON.object(
      ("tool", .string(tool.rawValue)), ("stubs", .integer(context.count)),
      ("carriedOver", .integer(output.carriedOver)), ("files", .array(output.files.map { .string($0.path) })),
      ("scenario", output.scenario.map { .string($0) }), ("remarks", .array(remarks)))
    return JSONWriter.text(value) + "\n"
  }
}

extension Sequence {
  /// The elements in groups of one key, in the order of their first elements.
  fileprivate func inGroups(by key: (Element) -> String) -> [(key: String, elements: [Element])] {
    var keys: [String] = []
    var groups: [String: [Element]] = [:]
    for element in self {
      let name = key(element)
      if groups[name] == nil { keys.append(name) }
      groups[name, default: []].append(element)
    }
    return keys.map { ($0, groups[$0] ?? []) }
  }
}
