import UnderstudySockets

/// The variants of the events that the server sends to the sockets of a client, in a fixed order.
package struct EventPlan {
  /// In the order of the contracts and their declarations.
  package let variants: [SweepVariant]

  /// An event that several sockets declare has one set of variants, by its first declaration; they change it on all of them.
  ///
  /// - Parameters:
  ///   - opened: The positions of the descriptions of the sockets that the client opens with default responses.
  ///   - sent: The arguments of the events that it gets then, by name.
  package init(_ mock: Mock, opened: Set<Int>, sent: [String: [JSON]]) {
    var declared: [(name: String, description: SocketDescription, contract: Contract)] = []
    var sockets: [String: Set<Int>] = [:]
    var number = 0
    for contract in mock.contracts {
      for description in contract.sockets.descriptions {
        defer { number += 1 }
        guard description.kind.isTwoWay, opened.contains(number) else { continue }
        for name in description.events.filter({ !$0.isFromClient }).map(\.name).unique() {
          if sockets[name] == nil { declared.append((name, description, contract)) }
          sockets[name, default: []].insert(number)
        }
      }
    }
    variants = declared.flatMap { name, description, contract in
      Self.variants(of: name, description, contract, sent[name] ?? [], on: sockets[name] ?? [])
    }
  }

  /// - Parameters:
  ///   - sent: The arguments of the event in the run with default responses.
  ///   - sockets: The positions of the declarations of the sockets that have it.
  private static func variants(
    of name: String, _ description: SocketDescription, _ contract: Contract, _ sent: [JSON], on sockets: Set<Int>
  ) -> [SweepVariant] {
    let declarations = contract.sockets.descriptions
    let files = contract.sockets.fixtures.filter { SocketContract.event(of: $0.name, declarations)?.name == name }
    let schemas = description.events.first { !$0.isFromClient && $0.name == name }?.arguments ?? []
    let library = contract.compiled.schemas
    let samples = SampleGenerator(schemas: library, seed: "0")
    func made() -> JSON? {
      let values = schemas.compactMap { samples.sample(of: $0, direction: .response) }
      return values.count == schemas.count ? .array(values) : nil
    }
    // The plain file, else any.
    let file = files.first { $0.name == name } ?? files.first
    guard let arguments = sent.first ?? file.map({ JSON.array($0.arguments) }) ?? made() else { return [] }
    func variant(_ kind: SweepCase.Kind, _ detail: String = "", _ fault: SocketFault?) -> SweepVariant {
      let event = SweepVariant.EventChange(
        name: name, sockets: sockets, fault: fault, sent: sent.isEmpty ? arguments : nil)
      return SweepVariant(kind, detail, event)
    }
    func faulty(
      _ kind: SweepCase.Kind, _ fault: SocketFault.Kind, _ text: String, pointer: String = ""
    ) -> SweepVariant { variant(kind, pointer, SocketFault(fault, of: name, shownAs: text + pointer)) }
    var all = files.map { file in
      variant(
        .eventFixture, file.name, SocketFault(replacing: name, by: .array(file.arguments), named: file.name))
    }
    all.append(faulty(.eventDuplicate, .duplicate, "duplicate"))
    if sent.count > 1 { all.append(faulty(.eventReorder, .reorder, "reorder")) }
    if !sent.isEmpty { all.append(faulty(.eventMissed, .missed, "missed")) }
    all.append(faulty(.eventLate, .late(.seconds(1)), "late:1s"))
    if let first = arguments[0], first.isObject {
      let schema = schemas.first.map { library.resolved($0) }
      let members = Array(first.members)
      let required = members.filter { schema?.requirement(of: $0.name) != nil }
      for member in required.prefix(SweepPlan.memberLimit) {
        let pointer = JSONPointer([member.name]).description
        all.append(faulty(.eventMissing, .missing(pointer), "missing:", pointer: pointer))
      }
      all.append(faulty(.eventExtraKeys, .extraKeys, "extra-keys"))
      for member in members.filter(\.value.isString).prefix(SweepPlan.memberLimit) {
        let pointer = JSONPointer([member.name]).description
        all.append(faulty(.eventNumeric, .numeric(pointer), "numeric:", pointer: pointer))
      }
    }
    if description.kind == .socketio { all.append(faulty(.eventTwoArguments, .twoArguments, "two-arguments")) }
    all.append(faulty(.eventMalformed, .malformed, "malformed"))
    // A WebSocket without a member for the name has no names.
    if description.kind == .socketio { all.append(faulty(.eventRenamed, .renamed(nil), "renamed")) }
    return all
  }
}
