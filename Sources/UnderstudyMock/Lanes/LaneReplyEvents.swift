import UnderstudyJSON
import UnderstudySockets

/// The events of a reply that is a stream: `["Hel", {"pause": "20ms"}, {"event": "done", "data": true}]`.
///
/// A text is the data of an event. `data` and `text` (which is sent as it is) may have a type as `event`; `pause`, `comment`,
/// `cut` (half of an event, and the end of the connection) and `end`, which is `stall` or `drop`, stand alone.
package enum LaneReplyEvents {
  private static let keys = ["event", "data", "text", "pause", "comment", "cut", "end"]
  private static let limit = 1_000

  /// A script as a list that `read` accepts.
  package static func list(_ script: EventStreamScript) -> JSON {
    // A list has an event at least, and a comment is none for a client.
    guard !script.steps.isEmpty else { return [["comment": ""]] }
    return .array(script.steps.map(value))
  }

  private static func value(_ step: EventStreamScript.Step) -> JSON {
    func typed(_ name: String?, _ key: String, _ data: JSONValue) -> JSON {
      .object((name.map { [("event", JSON.string($0))] } ?? []) + [(key, JSON(data))])
    }
    switch step {
    case .event(let name, let data): return typed(name, "data", data)
    case .text(let name, let text): return typed(name, "text", .string(text))
    case .cut(let name, let data): return typed(name, "cut", data)
    case .wait(let pause): return .object([("pause", .string(ScenarioDuration.text(pause)))])
    // Only fixtures have bytes, and none becomes a list.
    case .bytes(let bytes): return typed(nil, "text", .string(String(decoding: bytes, as: UTF8.self)))
    case .comment: return ["comment": ""]
    case .stall: return ["end": "stall"]
    case .drop: return ["end": "drop"]
    }
  }

  /// The steps of a list; reports what cannot be read.
  static func read(_ node: JSON, _ findings: inout MappingReader) -> [EventStreamScript.Step] {
    guard node.isArray, 1...limit ~= node.count else {
      findings.report("expected a list of 1 to \(limit) events for `events`", at: node)
      return []
    }
    return node.elements.compactMap { step($0, &findings) }
  }

  private static func step(_ node: JSON, _ findings: inout MappingReader) -> EventStreamScript.Step? {
    if node.isString { return .event(nil, JSONValue(node)) }
    guard findings.isMapping(node, "a mapping for an event", keys: keys) else { return nil }
    let name = node["event"]?.string
    if let event = node["event"], name == nil { findings.report("expected text for `event`", at: event) }
    let members = node.members.map(\.name).filter { $0 != "event" }
    guard members.count == 1, let key = members.first, let value = node[key] else {
      findings.report(
        "an event has one of data, text, pause, comment, cut and end", at: node,
        help: "as in {\"event\": \"done\", \"data\": true} or {\"pause\": \"20ms\"}")
      return nil
    }
    if name != nil, !["data", "text", "cut"].contains(key) {
      findings.report("`event` is the type of data: `\(key)` has none", at: node)
    }
    switch key {
    case "data": return .event(name, JSONValue(value))
    case "text":
      guard let text = value.string else { break }
      return .text(name, text)
    case "pause": return findings.duration(value, of: "`pause`").map { .wait($0) }
    case "comment": return .comment
    case "cut": return .cut(name, JSONValue(value))
    default:
      switch value.string {
      case "stall": return .stall
      case "drop": return .drop
      default: findings.report("expected `stall` or `drop` for `end`", at: value)
      }
      return nil
    }
    return findings.reject(expected: "text for `text`", value, help: "`data` takes any value")
  }
}
