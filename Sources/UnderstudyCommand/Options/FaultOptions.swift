import ArgumentParser
import UnderstudyMock
import UnderstudySockets
import UnderstudyVerification

/// Delays and faults of answers, and the network of all of them.
struct FaultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Wait before every answer of an operation: readChat=500ms, '*=100ms..2s'. Repeatable.",
      valueName: "operation=duration"))
  var delay: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Fail answers of an operation, a cell or everything on the wire: readChat=reset, readChat/401=hang:head, \
      '*=bandwidth:64k', everything=close@20%; of sockets: sockets=refuse:503, sockets/chat=duplicate. \
      `explain 'fault.*'` lists the faults. Repeatable.
      """, valueName: "operation=fault"))
  var fault: [String] = []

  @Option(help: ArgumentHelp("Answer as over a network: 3g, lossy, offline or flaky.", valueName: "name"))
  var network: String?

  /// The rules of the file and of the command line; later ones take precedence.
  func rules(_ configuration: Configuration) throws -> [FaultRule] {
    try networkRules(configuration) + configuration.faults + delay.map { try Self.rule("delay", $0, FaultRule.delay) }
      + fault.filter { try Self.socketFault("--fault \($0)", $0) == nil }.map {
        try Self.rule("fault", $0, FaultRule.fault)
      }
  }

  /// The faults of sockets of the file and of the command line.
  func socketFaults(_ configuration: Configuration) throws -> [SocketFault] {
    try configuration.socketFaults + fault.compactMap { try Self.socketFault("--fault \($0)", $0) }
  }

  private static func socketFault(_ source: String, _ text: String) throws(CommandFailure) -> SocketFault? {
    do throws(TextProblem) {
      return try SocketFault.read(text)
    } catch {
      throw CommandFailure(.usage, "`\(source)`: \(error.message)", help: error.help)
    }
  }

  /// The faults of sockets of the config file: `faults: {sockets/chat: duplicate}`.
  static func socketFaults(_ root: JSON, _ reader: SettingsReader) -> [SocketFault] {
    ["fault", "faults"].flatMap { root[$0]?.members.filter(isOfSockets) ?? [] }.flatMap { member in
      (member.value.array ?? [member.value]).compactMap { value in
        do throws(TextProblem) {
          return try SocketFault.read("\(member.name)=\(value.text)")
        } catch {
          reader.add([Diagnostic(.configInvalid, error.message, at: Location(start: value), help: error.help)])
          return nil
        }
      }
    }
  }

  private static func isOfSockets(_ member: JSON.Member) -> Bool {
    member.name == SocketFault.target || member.name.hasPrefix(SocketFault.target + "/")
  }

  private func networkRules(_ configuration: Configuration) throws -> [FaultRule] {
    guard let setting = Setting("network", flag: network, "UNDERSTUDY_NETWORK", configuration.network) else {
      return []
    }
    do throws(UsageProblem) {
      return try NetworkProfile.named(setting.text).rules()
    } catch {
      throw CommandFailure(.usage, "\(setting.phrase) is unknown", help: error.help)
    }
  }

  private static func rule(
    _ option: String, _ text: String, _ read: (String) throws(TextProblem) -> FaultRule
  ) throws -> FaultRule {
    do throws(TextProblem) {
      return try read(text)
    } catch {
      throw CommandFailure(.usage, "`--\(option) \(text)`: \(error.message)", help: error.help)
    }
  }

  /// `delay: {readChat: 2s}` and `faults: {readChat: [reset@20%, delay:1s]}` of the config file.
  static func rules(_ root: JSON, _ reader: SettingsReader) -> [FaultRule] {
    var nodes = FaultNodeReader(rule: .configInvalid)
    var rules: [FaultRule] = []
    let delays = reader.mapping(root["delay"], "a mapping of operations to durations, as in `readChat: 2s`")
    if let delays {
      for member in delays.members { rules += nodes.delays(member.value).map { FaultRule(member, $0, "delay") } }
    }
    for key in ["fault", "faults"] {
      let faults = reader.mapping(root[key], "a mapping of operations to faults, as in `readChat: reset`")
      guard let faults else { continue }
      for member in faults.members where !isOfSockets(member) {
        rules += nodes.faults(member.value).map { FaultRule(member, $0, key) }
      }
    }
    reader.add(nodes.diagnostics)
    return rules
  }
}

extension FaultRule {
  fileprivate init(_ member: JSON.Member, _ plan: FaultPlan, _ key: String) {
    self.init(target: member.name, plan: plan, option: key, location: Location(member.key))
  }
}
