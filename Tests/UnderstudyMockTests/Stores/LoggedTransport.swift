import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// A transport that logs the actions of a socket.
final class LoggedTransport: SocketTransport {
  let log = Awaited<[String]>([])

  func perform(_ action: SocketOutput.Action, in namespace: String) {
    let line =
      switch action {
      case .accept: "accept"
      case .refuse(let message, _): "refuse \(message)"
      case .emit(let name, let arguments, _): "\(name) \(arguments)"
      default: "other"
      }
    log.change { $0.append(line) }
  }

  func close(_ reason: String) { log.change { $0.append("close \(reason)") } }
}
