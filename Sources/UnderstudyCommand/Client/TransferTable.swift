import CUnderstudyCurl
import UnderstudyVerification

/// The transfers in progress, and those that wait for a connection; used only by the curl thread.
struct TransferTable {
  private let multi: UnsafeMutableRawPointer
  private let settings: TransferSettings
  private let sockets = ClientSockets()
  /// By their handles. Retains each transfer while libcurl uses it.
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:] {
    didSet { sockets.transfers = transfers.count }
  }
  private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
  /// In the order of their arrival. libcurl has a queue as well, but counts the wait as time for connecting.
  private var waiting: [Waiting] = []
  /// Those whose server had no room. They keep their places among the transfers.
  private var turnedAway: [TurnedAway] = []
  /// The time limit for heads that have begun; `nil` unless the program is about to stop.
  private var headLimit: ContinuousClock.Instant?

  /// The time limit for a response head that is incomplete when the program stops, since a server may never complete it.
  private static let headTime = Duration.milliseconds(500)

  private struct Waiting {
    let exchange: OutboundRequest
    let limit: ContinuousClock.Instant
  }

  private struct TurnedAway {
    let exchange: OutboundRequest
    let nextAttempt: ContinuousClock.Instant
    let connectLimit: ContinuousClock.Instant
  }

  /// The time between two attempts to connect to a Unix domain socket.
  private static let pause = Duration.milliseconds(5)

  init(_ multi: UnsafeMutableRawPointer, _ settings: TransferSettings) {
    self.multi = multi
    self.settings = settings
    // Idle connections count, so that libcurl closes them before it opens more.
    _ = curl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connections)
    // Keeps as many idle connections, of which libcurl would close all but a few.
    _ = curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, settings.connections)
  }

  mutating func perform(_ command: CurlLoop.Command) {
    switch command {
    case .start(let exchange):
      guard free <= 0 || !waiting.isEmpty else { return start(exchange) }
      waiting.append(Waiting(exchange: exchange, limit: .now + settings.timeout))
    case .resume(let exchange): handles[ObjectIdentifier(exchange)].flatMap { transfers[$0] }?.resume()
    case .cancel(let exchange):
      let failure = UpstreamFailure(.unsendable, "the client left")
      if let handle = handles[ObjectIdentifier(exchange)] {
        remove(handle)?.fail(failure)
      } else if let position = waiting.firstIndex(where: { $0.exchange === exchange }) {
        waiting.remove(at: position)
        exchange.finish(.failure(failure))
      } else if let position = turnedAway.firstIndex(where: { $0.exchange === exchange }) {
        turnedAway.remove(at: position)
        exchange.finish(.failure(failure))
      }
    case .quiesce: headLimit = headLimit ?? .now + Self.headTime
    }
  }

  /// The number of further transfers that may start.
  private var free: Int { settings.connections - transfers.count - turnedAway.count }

  private mutating func start(
    _ exchange: OutboundRequest, isFresh: Bool = false, connectLimit: ContinuousClock.Instant? = nil
  ) {
    let limit = connectLimit ?? .now + settings.connectTimeout
    guard let transfer = Transfer(exchange, settings, sockets, isFresh: isFresh, connectLimit: limit) else {
      return exchange.finish(.failure(.outOfMemory))
    }
    guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else { return transfer.fail(.outOfMemory) }
    transfers[transfer.handle] = transfer
    handles[ObjectIdentifier(exchange)] = transfer.handle
  }

  /// Starts as many waiting exchanges as there are connections, and ends those that waited too long.
  private mutating func startWaiting(_ now: ContinuousClock.Instant) {
    guard let first = waiting.first else { return }
    let count = min(free, waiting.count)
    if count > 0 {
      let next = waiting.prefix(count)
      waiting.removeFirst(count)
      for item in next { start(item.exchange) }
    } else if first.limit <= now {
      let failure = UpstreamFailure(
        .timeout,
        "none of the \(settings.connections) connections to it (--upstream-connections) was free within "
          + settings.setting)
      for item in waiting where item.limit <= now { item.exchange.finish(.failure(failure)) }
      waiting.removeAll { $0.limit <= now }
    }
  }

  /// Advances all transfers, and ends those that are complete or late.
  mutating func perform() {
    var count: CInt = 0
    curl_multi_perform(multi, &count)
    while let message = curl_multi_info_read(multi, &count)?.pointee {
      guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
      guard let transfer = remove(handle) else { continue }
      if transfer.needsFreshConnection {
        start(transfer.exchange, isFresh: true)
      } else if transfer.connectsLater(message.data.result) {
        turnedAway.append(
          TurnedAway(
            exchange: transfer.exchange, nextAttempt: .now + Self.pause, connectLimit: transfer.connectLimit))
      } else {
        transfer.finish(message.data.result)
      }
    }
    let now = ContinuousClock.now
    for (handle, transfer) in transfers {
      guard let limit = transfer.limit(ofHead: headLimit), limit.instant <= now else { continue }
      remove(handle)?.fail(limit.failure)
    }
    let due = turnedAway.prefix { $0.nextAttempt <= now }
    turnedAway.removeFirst(due.count)
    for item in due { start(item.exchange, connectLimit: item.connectLimit) }
    startWaiting(now)
  }

  /// The milliseconds until the next time limit.
  func timeout() -> CInt {
    let limits =
      transfers.values.compactMap { $0.limit(ofHead: headLimit)?.instant } + waiting.prefix(1).map(\.limit)
      + turnedAway.prefix(1).map(\.nextAttempt)
    guard let next = limits.min() else { return 60_000 }
    // One more, so that the limit has passed when the thread wakes up.
    return CInt(clamping: max(.zero, next - .now).wholeMilliseconds + 1)
  }

  mutating func removeAll(_ failure: UpstreamFailure) {
    for handle in transfers.keys { remove(handle)?.fail(failure) }
    for item in waiting { item.exchange.finish(.failure(failure)) }
    for item in turnedAway { item.exchange.finish(.failure(failure)) }
    (waiting, turnedAway) = ([], [])
  }

  private mutating func remove(_ handle: UnsafeMutableRawPointer) -> Transfer? {
    guard let transfer = transfers.removeValue(forKey: handle) else { return nil }
    handles[ObjectIdentifier(transfer.exchange)] = nil
    curl_multi_remove_handle(multi, handle)
    return transfer
  }
}
