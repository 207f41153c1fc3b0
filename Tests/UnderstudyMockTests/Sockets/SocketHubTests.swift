import Synchronization
import Testing
import UnderstudyMock
import UnderstudySockets

struct SocketHubTests {
  private final class Transport: SocketTransport {
    let reasons = Mutex<[String]>([])

    func perform(_ action: SocketOutput.Action, in namespace: String) {}
    func close(_ reason: String) { reasons.withLock { $0.append(reason) } }

    var closings: [String] { reasons.withLock { $0 } }
  }

  @Test func `the end of a lane closes its own sockets, those that come later too`() {
    let (hub, lane, other) = (SocketHub(), Lane(LaneState()), Lane(LaneState()))
    let (own, late, foreign) = (Transport(), Transport(), Transport())
    hub.add(own, 1, in: LaneHandle(lane))
    hub.add(foreign, 2, in: other)
    hub.close(lane)
    hub.add(late, 3, in: lane)
    #expect(own.closings == ["the lane is closed"] && late.closings == own.closings && foreign.closings == [])
    hub.closeAll()
    #expect(foreign.closings == ["the server shuts down"])
  }
}
