import ArgumentParser
import UnderstudyMock
import UnderstudySockets
import UnderstudyVerification

/// Delays and faults of answers, and the network of all of them.
struct FaultOptions: ParsableArguments {
  @Option(
    \.delay, value: "operation=duration",
    help: "Wait before every answer of an operation: readChat=500ms, '*=100ms..2s'. Repeatable.")
  var delay: [String] = []

  @Option(
    \.fault, value: "operation=fault",
    help: """
      Fail answers of an operation, a cell or everything on the wire: readChat=reset, readChat/401=hang:head, \
      '*=bandwidth:64k', everything=close@20%; of sockets: sockets=refuse:503, sockets/chat=duplicate. \
      `explain 'fault.*'` lists the faults. Repeatable.
      """)
  var fault: [String] = []

  @Option(\.network, value: "name", help: "Answer as over a network: 3g, lossy, offline or flaky.")
  var network: String?

  /// Sets the rules of the file and of the command line; later ones take precedence.
  func apply(to options: inout Mock.Options, _ configuration: Configuration) throws {
    let written = [configuration.fault, configuration.faults].compactMap(\.self)
    options.faults = try networkRules(configuration) + (configuration.delay ?? []) + written.flatMap(\.rules)
    options.faults += try delay.map { try Self.rule("delay", $0, FaultRule.delay) }
    options.socketFaults = written.flatMap(\.sockets)
    for text in fault {
      if let fault = try Self.socketFault("--fault \(text)", text) {
        options.socketFaults.add(fault)
      } else {
        options.faults.append(try Self.rule("fault", text, FaultRule.fault))
      }
    }
  }

  private static func socketFault(_ source: String, _ text: String) throws(CommandFailure) -> SocketFault? {
    do throws(TextProblem) {
      return try SocketFault.read(text)
    } catch {
      throw CommandFailure(.usage, "`\(source)`: \(error.message)", help: error.help)
    }
  }

  private static func isOfSockets(_ member: JSON.Member) -> Bool {
    member.name == SocketFault.target || member.name.hasPrefix(SocketFault.target + "/")
  }

  private func networkRules(_ configuration: Configuration) throws -> [FaultRule] {
    guard let setting = Setting(\.network, flag: network, configuration) else { return [] }
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

  // MARK: - The config file

  /// The faults of `fault` or `faults` in the config file.
  struct Written {
    var rules: [FaultRule] = []
    var sockets: [SocketFault] = []
  }

  /// `delay: {readChat: 2s}`
  static func delays(_ node: JSON, _ reader: SettingsReader) -> [FaultRule] {
    var nodes = FaultNodeReader(rule: .configInvalid)
    defer { reader.add(nodes.diagnostics) }
    let delays = reader.mapping(node, "a mapping of operations to durations, as in `readChat: 2s`")
    return delays?.members.flatMap { member in
      nodes.delays(member.value).map { FaultRule(member, $0, "delay") }
    } ?? []
  }

  /// `faults: {readChat: [reset@20%, delay:1s], sockets/chat: duplicate}`
  static func faults(_ key: String, _ node: JSON, _ reader: SettingsReader) -> Written {
    var nodes = FaultNodeReader(rule: .configInvalid)
    defer { reader.add(nodes.diagnostics) }
    var written = Written()
    let faults = reader.mapping(node, "a mapping of operations to faults, as in `readChat: reset`")
    for member in faults?.members.map({ $0 }) ?? [] {
      guard isOfSockets(member) else {
        written.rules += nodes.faults(member.value).map { FaultRule(member, $0, key) }
        continue
      }
      for value in member.value.array ?? [member.value] {
        guard let text = reader.text(value) else { continue }
        do throws(TextProblem) {
          if let fault = try SocketFault.read("\(member.name)=\(text)") { written.sockets.add(fault) }
        } catch {
          reader.reject(error.message, value, help: error.help)
        }
      }
    }
    return written
  }
}

extension FaultRule {
  fileprivate init(_ member: JSON.Member, _ plan: FaultPlan, _ key: String) {
    self.init(target: member.name, plan: plan, option: key, location: Location(member.key))
  }
}
