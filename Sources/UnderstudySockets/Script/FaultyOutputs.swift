import UnderstudyJSON
import UnderstudyText

extension SocketState {
  /// The faults in play: those of the lane, then those of its scenario.
  var allFaults: [SocketFault] { faults + scenarioFaults }

  /// The first fault that meets a condition, which has one time less left then.
  package mutating func takeFault(_ isMet: (SocketFault) -> Bool) -> SocketFault? {
    if let index = faults.firstIndex(where: isMet) { return Self.take(index, of: &faults) }
    if let index = scenarioFaults.firstIndex(where: isMet) { return Self.take(index, of: &scenarioFaults) }
    return nil
  }

  private static func take(_ index: Int, of faults: inout [SocketFault]) -> SocketFault {
    let fault = faults[index]
    guard let times = fault.times else { return fault }
    faults[index].times = times - 1
    if times <= 1 { faults.remove(at: index) }
    return fault
  }

  /// Adds an output as the faults of the lane change it.
  mutating func deliver(_ output: SocketOutput, at now: Int) {
    guard !faults.isEmpty || !scenarioFaults.isEmpty || !reordered.isEmpty else { return put(output) }
    switch output.action {
    case .emit(let name, let arguments, let attachments):
      deliver(name, arguments, attachments, output, at: now)
    case .acknowledge:
      if takeFault({ $0.kind == .noAck }) != nil { return }
      let late = takeFault { if case .lateAck = $0.kind { true } else { false } }
      guard case .lateAck(let time)? = late?.kind else { return put(output) }
      delay(output, by: time, at: now)
    default: put(output)
    }
  }

  /// Adds an output at a later time, if its socket is still there.
  mutating func delay(_ output: SocketOutput, by time: Duration, at now: Int) {
    guard timers.count < SocketScript.timerLimit else { return }
    var timer = Timer(
      due: now + time.wholeMicroseconds, rule: "", step: 0, member: output.socket, namespace: output.namespace,
      environment: .object([]), attachments: [])
    timer.output = output
    timers.append(timer)
  }

  private mutating func deliver(
    _ name: String, _ arguments: JSONValue, _ attachments: [[UInt8]], _ output: SocketOutput, at now: Int
  ) {
    func concerns(_ fault: SocketFault) -> Bool { fault.event == nil || fault.event == name }
    if takeFault({ $0.kind == .missed && concerns($0) }) != nil { return }
    if isSecond(output), takeFault({ $0.kind == .oneOfTwo && concerns($0) }) != nil { return }
    var output = output
    output.action = changed(name, arguments, attachments, concerns)
    var ready = [output]
    if let waiting = reordered.firstIndex(where: { $0.socket == output.socket && $0.namespace == output.namespace }) {
      ready.append(reordered.remove(at: waiting))
    } else if takeFault({ $0.kind == .reorder && concerns($0) }) != nil {
      reordered.append(output)
      // No second event may come.
      return put(SocketOutput(output.socket, output.namespace, .hold(name, arguments)))
    } else if takeFault({ $0.kind == .duplicate && concerns($0) }) != nil {
      ready.append(output)
    }
    let late = takeFault { fault in if case .late = fault.kind { concerns(fault) } else { false } }
    for output in ready {
      if case .late(let time)? = late?.kind, time > .zero { delay(output, by: time, at: now) } else { put(output) }
    }
  }

  /// The event with all changes of its content.
  private mutating func changed(
    _ name: String, _ arguments: JSONValue, _ attachments: [[UInt8]], _ concerns: (SocketFault) -> Bool
  ) -> SocketOutput.Action {
    var (name, arguments) = (name, arguments)
    let ready = allFaults.filter(concerns)
    for fault in ready {
      guard let changed = arguments.array.flatMap(fault.changing) else { continue }
      _ = takeFault { $0 == fault }
      arguments = .array(changed)
    }
    let isMalformed = takeFault { $0.kind == .malformed && concerns($0) } != nil
    let renamed = takeFault { fault in if case .renamed = fault.kind { concerns(fault) } else { false } }
    if case .renamed(let other)? = renamed?.kind { name = other ?? name + "-renamed" }
    return isMalformed ? .malformed(name, arguments) : .emit(name, arguments, attachments: attachments)
  }

  /// Whether an earlier socket remembers the same.
  private func isSecond(_ output: SocketOutput) -> Bool {
    guard let own = sockets[output.socket, output.namespace], !own.values.isEmpty,
      let first = sockets.first(where: { $0.values == own.values })
    else { return false }
    return first != own
  }
}
