import UnderstudyMock
import UnderstudySystem

/// The ports of lanes of a running mock, where it can have some.
package final class LanePorts: Sendable {
  private let servers = Lock<LaneServers?>(nil)

  /// Sets the servers that open ports on demand.
  package func use(_ servers: LaneServers) { self.servers.withLock { $0 = servers } }

  private var current: LaneServers? { servers.withLock { $0 } }

  /// The port that a lane has to itself; `nil` where it has none.
  func port(of lane: LaneName) -> Int? { current?.port(of: lane) }

  func open(_ lane: LaneName, port: Int) async throws(LaneProblem) {
    guard let current else {
      throw LaneProblem(.conflict, "this mock opens no ports for lanes", help: "name the lane in the path: /~\(lane)/")
    }
    do throws(ServerStartError) {
      try await current.open(lane, port: port, isFixed: false)
    } catch {
      throw LaneProblem(.conflict, error.about("port").description, help: "the lane is not open")
    }
  }

  /// Takes the port of a lane that was closed, unless `--lane-port` names it; the result ends it.
  func close(_ lane: LaneName) -> (@Sendable () async -> Void)? { current?.close(lane) }
}
