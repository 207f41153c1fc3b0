import UnderstudySockets

/// A socket event as client checks remember it: arguments and credentials are hashed.
package struct CheckedFrame: Codable, Sendable, Hashable {
  package enum Kind: String, Codable, Sendable {
    case connected, refused
    /// An event of the client, and one of the mock.
    case received, sent
    /// The client has left, or the connection is lost.
    case left
    /// The mock ends the connection or the namespace.
    case ended
  }

  /// Counts the frames of a lane, from 1.
  package var number: Int
  /// The time by the clock of the lane, in microseconds since 1970.
  package var time: Int
  package var socket: Int
  package var namespace: String
  package var kind: Kind
  /// The name of an event, cut off at `eventLimit`.
  package var event: String?
  package var value: UInt64?
  /// The hash of what the client connected with: sockets that connect with the same belong to one client.
  package var client: UInt64

  /// The maximum length in bytes.
  private static let eventLimit = 300

  package init(
    number: Int, time: Int, socket: Int, namespace: String, kind: Kind, event: String? = nil, value: UInt64? = nil,
    client: UInt64
  ) {
    self.number = number
    self.time = time
    self.socket = socket
    self.namespace = namespace
    self.kind = kind
    self.event = event.map { RequestDigest.prefix($0, Self.eventLimit) }
    self.value = value
    self.client = client
  }

  /// `socket 3 > changesocketid`
  var text: String {
    let subject = "socket \(socket)" + (namespace == "/" ? "" : " \(namespace)")
    return switch kind {
    case .connected: "\(subject) connects"
    case .refused: "\(subject) is refused"
    case .received: "\(subject) > \(VisibleText.shortened(event ?? "", to: 80))"
    case .sent: "\(subject) < \(VisibleText.shortened(event ?? "", to: 80))"
    case .left: "\(subject) is gone"
    case .ended: "\(subject) is ended by the mock"
    }
  }

  package var isEnd: Bool { kind == .left || kind == .ended || kind == .refused }
}

/// A rule of clients over the frames of the sockets of a lane, and its exchanges.
package protocol SocketCheck: ClientCheck {
  /// The breaches so far in a history, the oldest first; `time` is the lane's clock, in microseconds since 1970.
  static func breaches(of history: SocketHistory, at time: Int, _ settings: ClientCheckSettings) -> [SocketBreach]
}

extension SocketCheck {
  package static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? { nil }
}

package struct SocketBreach: Sendable {
  /// The number of the frame that it is about: each is reported once.
  package var frame: Int
  package var message: String
  package var help: String
  /// The frames and requests that prove it, in their order.
  package var proof: [String]
}

package struct SocketHistory: Sendable {
  let frames: [CheckedFrame]
  let exchanges: [RequestDigest]
  /// The time before which exchanges may have been dropped.
  let start: Int
  /// Whether nothing follows, since the lane closes.
  let isWhole: Bool
  /// The frame that ends the socket of a frame, by the number of that frame.
  private let ends: [Int: CheckedFrame]

  package init(frames: [CheckedFrame], exchanges: [RequestDigest], start: Int, isWhole: Bool = false) {
    (self.frames, self.exchanges, self.start, self.isWhole) = (frames, exchanges, start, isWhole)
    var (ends, next): ([Int: CheckedFrame], [SocketPlace: CheckedFrame]) = ([:], [:])
    for frame in frames.reversed() {
      let place = SocketPlace(socket: frame.socket, namespace: frame.namespace)
      if frame.isEnd { next[place] = frame }
      ends[frame.number] = next[place]
    }
    self.ends = ends
  }

  private struct SocketPlace: Hashable {
    let socket: Int
    let namespace: String
  }

  /// The frames of the socket of another one, in their order.
  func frames(of frame: CheckedFrame) -> [CheckedFrame] {
    frames.filter { $0.socket == frame.socket && $0.namespace == frame.namespace }
  }

  /// The end of a socket; `nil` while it is open.
  func end(of frame: CheckedFrame) -> CheckedFrame? { ends[frame.number] }

  /// Whether the client of a socket connected again after it.
  func isFollowed(_ frame: CheckedFrame) -> Bool {
    frames.contains {
      $0.kind == .connected && $0.number > frame.number && $0.client == frame.client && $0.namespace == frame.namespace
    }
  }

  /// The first success of some operations in a time.
  func success(of settings: ClientCheckSettings, in times: ClosedRange<Int>) -> RequestDigest? {
    exchanges.first { $0.isSuccess && times.contains($0.time) && settings.covers($0) }
  }
}

extension RequestDigest {
  var isSuccess: Bool { !isBroken && 200...299 ~= status }
}
