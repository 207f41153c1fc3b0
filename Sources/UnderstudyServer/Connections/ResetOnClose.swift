import NIOCore
import UnderstudySystem

extension Channel {
  /// Makes closing send a TCP RST instead of FIN: a socket that must not linger is closed that way.
  func resetOnClose() {
    let abrupt = linger(l_onoff: 1, l_linger: 0)
    if let socket = self as? any SocketOptionProvider { _ = socket.setSoLinger(abrupt) }
  }
}
