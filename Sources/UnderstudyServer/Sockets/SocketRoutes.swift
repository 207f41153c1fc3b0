import UnderstudyJSON
import UnderstudyMock
import UnderstudySockets

/// The requests to `/__admin/sockets`: those of the lane that the parameter `lane` names, or of the request's own.
struct SocketRoutes {
  private let admin: AdminRequest
  private let lane: any LaneAccess
  private let sockets: MockSockets

  /// - Parameter more: The parameters that the resource has besides `lane`.
  init(_ admin: AdminRequest, besides more: [String] = []) throws(LaneProblem) {
    self.admin = admin
    try admin.requireParameters(["lane"] + more)
    guard let sockets = admin.mock.sockets else {
      throw LaneProblem(
        .conflict, "no contract and no scenario declares sockets", help: "add `\(SocketReader.key)` to a contract")
    }
    self.sockets = sockets
    let name = try admin.text("lane").map { text throws(LaneProblem) in try LaneName(text) } ?? admin.lane ?? .unnamed
    guard let lane = name == .unnamed ? admin.host.lanes.unnamed : try admin.host.lanes.find(name) else {
      throw LaneProblem(.unknown, "no lane `\(name)` is open", help: "GET \(admin.root)/lanes lists them")
    }
    self.lane = lane
  }

  /// The lane, and the sockets of the mock.
  var place: (any LaneAccess, MockSockets) { (lane, sockets) }

  func list() throws(LaneProblem) -> Reply {
    let open = try lane.value.sockets.sockets
    return admin.answer(later: { [admin, sockets] in
      var redactor = admin.redactor
      let members = open.map { member in
        let description = sockets.descriptions[member.description]
        return JSON.object([
          ("id", .integer(member.id)), ("transport", .string(description.kind.rawValue)),
          ("namespace", .string(member.namespace)),
          (
            "remembers",
            .object(
              member.values.sorted { $0.key < $1.key }.map { name, value in
                (name, .string(redactor.redact(value: value.text, named: name).value))
              })
          ),
        ])
      }
      let faults = SocketFault.all.map { fault in
        JSON.object([("example", .string(fault.example)), ("summary", .string(fault.summary))])
      }
      return admin.answer(.object([("sockets", .array(members)), ("faults", .array(faults))]))
    })
  }

  /// Performs an action, as a rule of a scenario would: `{"emit": "chat", "argument": {...}, "to": {"uid": "u2"}}`.
  func act() throws(LaneProblem) -> Reply {
    let node = try LaneProblem.json(admin.body, help: "send an action")
    var reader = SocketReader()
    let action = reader.action(node)
    if let problem = reader.problems.first {
      throw LaneProblem(.invalid, problem.message, help: problem.help ?? "send an action")
    }
    guard let action else {
      throw LaneProblem(.invalid, "the body is not an action", help: #"as {"emit": "chat", "argument": "hi"}"#)
    }
    var rule = SocketRule(.connect, at: node)
    rule.actions = [action]
    if let name = rule.fixtures.first(where: { sockets.fixtures[$0] == nil }) {
      let files = sockets.fixtures.keys.sorted()
      let known = files.isEmpty ? "the folder has none" : "it has \(files.joined(separator: ", "))"
      throw LaneProblem(
        .conflict, "no file of `_events` has the name `\(VisibleText.shortened(name, to: 40))`",
        help: Suggestion.phrase(for: name, among: files) ?? known)
    }
    let hub = admin.host.sockets
    let count = try hub.apply(.command(rule), by: admin.mock, in: lane)
    return admin.answer(.object([("recipients", .integer(count))]))
  }
}
