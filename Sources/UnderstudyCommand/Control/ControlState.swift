import UnderstudyVerification

/// What a change of a lane leads to.
enum ControlState {
  static func change(_ admin: AdminOptions, _ change: JSON) async throws {
    show(try await admin.call { try await $0.send(.patch, "lanes/\(admin.encodedLane)", change) })
  }

  /// Prints what decides the next answers of a lane.
  static func show(_ lane: JSON) {
    let state = lane["state"]
    var lines = ["lane      \(lane["name"]?.text ?? "")"]
    if let scenario = state?["scenario"]?.string { lines.append("scenario  \(scenario)") }
    for starts in state?["starts"]?.members ?? JSON.object([]).members {
      let machine = starts.name.split(separator: "/", maxSplits: 1).dropFirst().first.map { " of \($0)" } ?? ""
      lines.append("state     \(starts.value.text)\(machine)")
    }
    for forced in state?["forced"]?.elements ?? JSON.array([]).elements {
      let times = forced["times"].map { " for \($0.text) \($0.text == "1" ? "request" : "requests")" } ?? ""
      let cell = (forced["answer"]?.text ?? "") + (forced["conditions"]?.text ?? "")
      lines.append("forced    \(forced["operation"]?.text ?? "")=\(cell)\(times)")
    }
    for fault in state?["faults"]?.elements ?? JSON.array([]).elements {
      lines.append("\(fault["isDelay"]?.bool == true ? "delay " : "fault ")    \(fault["text"]?.text ?? "")")
    }
    for line in lines { Terminal.standardOutput.write(DiagnosticPrinter.visible(line) + "\n") }
  }
}
