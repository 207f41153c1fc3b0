import UnderstudyRecording

/// The files that an import writes.
package struct ImportOutput {
  /// Paths below the output folder with their contents.
  package private(set) var files: [(path: String, bytes: [UInt8])] = []
  package private(set) var remarks: [Remark]
  /// The path of the routes file; `nil` if every stub became a fixture.
  package private(set) var routes: String?
  package private(set) var data: String?
  /// The name of the scenario that the routes need; `nil` without states.
  package private(set) var scenario: String?
  /// The number of stubs that are in the files.
  package private(set) var carriedOver = 0
  /// The number of fixtures under operations of a contract.
  package private(set) var fixtures = 0

  package static let scenarioName = "imported"

  private var text = ReplyText()

  /// - Parameters:
  ///   - name: The name of the routes file.
  ///   - title: The tool, for a comment.
  package init(_ context: ImportContext, name: String, title: String, contract: CompiledContract? = nil) {
    remarks = context.remarks
    let plan = RoutePlan(context.stubs)
    remarks += plan.remarks
    var rest: [RoutePlan.Route] = []
    var names: Set<String> = []
    for route in plan.routes {
      let matches = contract.map { ContractFit.operations(for: route, in: $0) } ?? []
      if let contract, !matches.isEmpty, !route.entries.contains(where: { $0.stub.state != nil }) {
        for match in matches { add(route, to: match, of: contract, &names) }
        if route.method != "ANY" { continue }
      }
      rest.append(route)
    }
    // Two documents may have stubs at the same index.
    carriedOver =
      Set(plan.routes.flatMap(\.entries).map { "\($0.stub.node.document.source?.path ?? "")#\($0.stub.node.index)" })
      .count
    if !rest.isEmpty { add(rest, name: name, title: title) }
    addData(context, name: name)
    files += text.files
  }

  // MARK: - Routes

  private mutating func add(_ list: [RoutePlan.Route], name: String, title: String) {
    var operations = OperationNames()
    var machines: [(machine: StubMachine, order: Int)] = []
    var members: [(String, JSON)] = []
    for route in list {
      let key = "\(route.method) \(route.path.route)"
      let methods = route.method == "ANY" ? ["GET", "POST", "PUT", "PATCH", "DELETE"] : [route.method]
      let ids = methods.map { operations.id(operationId: nil, method: $0, path: route.path.route) }
      members.append((key, value(of: route)))
      guard let machine = route.entries.compactMap(\.stub.machine).first else { continue }
      if !machines.contains(where: { $0.machine.name == machine }) {
        let stubs = list.flatMap { $0.entries.map(\.stub) }
        machines.append((StubMachine(named: machine, stubs), machines.count))
      }
      for index in machines.indices where machines[index].machine.name == machine {
        for id in ids { machines[index].machine.add(route, operation: id) }
      }
    }
    let path = "\(name).yaml"
    let yaml = "# Imported from \(title).\n" + YAMLText.of(.object([("routes", .object(members))]))
    files.append((path, Array(yaml.utf8)))
    routes = path
    guard !machines.isEmpty else { return }
    let described = JSON.object(machines.map { ($0.machine.name, $0.machine.json) })
    let file = JSON.object([("summary", "The states of the imported stubs."), ("machines", described)])
    files.append(("fixtures/\(name)/_scenarios/\(Self.scenarioName).yaml", Array(YAMLText.of(file).utf8)))
    scenario = Self.scenarioName
  }

  private mutating func value(of route: RoutePlan.Route) -> JSON {
    var replies: [JSON] = []
    let count = route.entries.count { $0.when != nil }
    for (index, entry) in route.entries.enumerated() {
      // The order of the stubs decides, so each has a priority of its own.
      let priority = count > 1 ? max(1, route.entries.count - index) : nil
      replies.append(.object(text.members(of: entry, priority: priority, isRoute: true)))
    }
    let isScenario = route.entries.contains { $0.stub.state != nil }
    let hasDefault = route.entries.contains { $0.when == nil && $0.stub.state == nil && !$0.isVariant }
    if isScenario, !hasDefault {
      replies.append(.object([("status", 404), ("text", "no stub is for this request in this state\n")]))
    }
    return replies.count == 1 ? replies[0] : .array(replies)
  }

  // MARK: - Fixtures

  private mutating func add(
    _ route: RoutePlan.Route, to match: ContractFit.Match, of contract: CompiledContract, _ names: inout Set<String>
  ) {
    let folder = "fixtures/\(contract.name)/\(match.operation.id)"
    for (index, entry) in route.entries.enumerated() {
      var entry = entry
      let predicate = match.conditions & entry.stub.predicate.renamingPath(match.names)
      for (old, new) in match.names { entry.stub.reply.replace("request.path.\(old)", by: "request.path.\(new)") }
      entry.when = entry.isVariant ? nil : predicate.when
      let status = entry.stub.reply.status
      let isDefault = entry.when == nil && !entry.isVariant
      if isDefault, status != match.operation.successCode {
        // A default of another status needs a condition that every request meets.
        entry.when = Predicate.test(.header, "Host", Predicate.present).when
      }
      if match.operation.operation.response(for: status) == nil {
        remarks.append(
          Remark(
            .differs, "undocumented status", "\(match.operation.id) does not document \(status)", at: entry.stub.node))
      }
      let base = entry.name ?? entry.stub.name.map(ReplyName.slug) ?? ""
      var label =
        isDefault && entry.when == nil ? String(status) : "\(status).\(base.isEmpty ? "stub-\(index + 1)" : base)"
      let first = label
      var number = 1
      while !names.insert("\(folder)/\(label)").inserted {
        number += 1
        label = first == String(status) ? "\(status).stub-\(number)" : "\(first)-\(number)"
      }
      let members = text.members(
        of: entry, priority: max(1, route.entries.count - index), isRoute: false, folder: "../../../")
      let yaml = members.isEmpty ? "# A response without a body.\n" : YAMLText.of(.object(members))
      files.append(("\(folder)/\(label).yaml", Array(yaml.utf8)))
      fixtures += 1
    }
  }

  private mutating func addData(_ context: ImportContext, name: String) {
    guard !context.data.isEmpty else { return }
    let path = "\(name)-data.json"
    files.append((path, Array((JSONWriter.text(.object(context.data.map { ($0.name, $0.items) })) + "\n").utf8)))
    data = path
  }
}
