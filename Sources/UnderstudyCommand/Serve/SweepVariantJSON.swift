import HTTPTypes
import UnderstudyMock
import UnderstudyReport

/// A variant as the admin API shows it.
enum SweepVariantJSON {
  static func value(_ variant: SweepVariant) -> JSON {
    .object(
      ("operation", .string(variant.operation)), ("name", .string(variant.name)),
      ("kind", .string(variant.kind.rawValue)), ("status", variant.status.map { .integer($0) }),
      ("isUnusable", variant.isUnusable ? true : false), ("reply", .object(present: reply(variant))))
  }

  /// What the server adds by itself.
  private static let added: [HTTPField.Name] = [.understudyReply, .contentLength, .date]

  private static func reply(_ variant: SweepVariant) -> [(String, JSON?)] {
    var members: [(String, JSON?)] = []
    switch variant.override.answer {
    case .usual: break
    case .stream(let script, let status, _):
      members += [("status", .integer(status)), ("events", LaneReplyEvents.list(script))]
    case .cell(let forcing):
      members.append(
        forcing.name.map { ("fixture", .string("\(forcing.code).\($0)")) }
          ?? ("status", .integer(forcing.code)))
    case .response(let response, let body, _):
      let fields = response.headerFields.filter { !added.contains($0.name) }
      var names: [HTTPField.Name] = []
      for field in fields where !names.contains(field.name) { names.append(field.name) }
      let headers = names.map { name in
        (name.rawName, JSON.array(fields.filter { $0.name == name }.map { .string($0.value) }))
      }
      members += [
        ("status", .integer(response.status.code)), ("headers", .object(headers)),
        ("base64", .string(Base64.encode(body))),
      ]
    }
    members.append(("delay", variant.override.delay.map { .string($0.faultText) }))
    members.append(("fault", variant.override.fault.map { .string("\($0)") }))
    return members
  }
}
