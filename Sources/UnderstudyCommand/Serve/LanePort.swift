import UnderstudyMock
import UnderstudyVerification

/// A port that one lane has to itself, as `--lane-port` names it: `alice=4011`.
struct LanePort {
  let lane: LaneName
  let port: Int

  init(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let port = Int(parts[1]), 0...65_535 ~= port else {
      throw CommandFailure(
        .usage, "`--lane-port \(text)` is incomplete",
        help: "expected a lane and a port from 0 to 65535, as in alice=4011")
    }
    do {
      lane = try LaneName(parts[0])
    } catch {
      throw CommandFailure(.usage, "`--lane-port`: \(error.message)", help: error.help)
    }
    guard lane != .unnamed else {
      throw CommandFailure(
        .usage, "the lane `\(lane)` has the port of `--port`", help: "name another lane, as in alice=4011")
    }
    self.port = port
  }

  /// Reads all values of the option.
  static func read(_ texts: [String]) throws(CommandFailure) -> [LanePort] {
    var ports: [LanePort] = []
    for text in texts {
      let port = try LanePort(text)
      if let other = ports.first(where: { $0.port == port.port && port.port != 0 }) {
        throw CommandFailure(
          .usage, "`--lane-port \(text)`: the port \(port.port) is that of the lane `\(other.lane)`",
          help: "name another port, or 0 for a free one")
      }
      ports.append(port)
    }
    return ports
  }
}
