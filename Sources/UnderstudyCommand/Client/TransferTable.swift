import CCurl
import Understudy

/// The transfers in progress; used only by the curl thread.
struct TransferTable {
  private let multi: UnsafeMutableRawPointer
  private let settings: TransferSettings
  /// By their handles. Retains each transfer while libcurl uses it.
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]

  /// The most connections to one server. Further requests wait.
  static let connectionLimit = 64

  init(_ multi: UnsafeMutableRawPointer, _ settings: TransferSettings) {
    self.multi = multi
    self.settings = settings
    _ = curl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionLimit)
    // Keeps as many idle connections, of which libcurl would close all but a few.
    _ = curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Self.connectionLimit)
  }

  mutating func perform(_ command: CurlLoop.Command) {
    switch command {
    case .start(let exchange): start(exchange)
    case .resume(let exchange): handles[ObjectIdentifier(exchange)].flatMap { transfers[$0] }?.resume()
    case .cancel(let exchange):
      guard let handle = handles[ObjectIdentifier(exchange)] else { return }
      remove(handle)?.fail(UpstreamFailure(.unsendable, "the client left"))
    }
  }

  private mutating func start(_ exchange: OutboundExchange) {
    guard let easy = EasyHandle() else { return exchange.finish(.failure(.outOfMemory)) }
    let transfer = Transfer(exchange, easy, settings)
    guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else { return transfer.fail(.outOfMemory) }
    transfers[transfer.handle] = transfer
    handles[ObjectIdentifier(exchange)] = transfer.handle
  }

  /// Advances all transfers, and ends those that are complete or late.
  mutating func perform() {
    var count: CInt = 0
    curl_multi_perform(multi, &count)
    while let message = curl_multi_info_read(multi, &count)?.pointee {
      guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
      remove(handle)?.finish(message.data.result)
    }
    let now = ContinuousClock.now
    for (handle, transfer) in transfers {
      guard let limit = transfer.limit, limit.instant <= now else { continue }
      remove(handle)?.fail(limit.failure)
    }
  }

  /// The milliseconds until the next time limit.
  func timeout() -> CInt {
    guard let next = transfers.values.compactMap({ $0.limit?.instant }).min() else { return 60_000 }
    // One more, so that the limit has passed when the thread wakes up.
    return CInt(clamping: Int64(max(.zero, next - .now) / .milliseconds(1)) + 1)
  }

  mutating func removeAll(_ failure: UpstreamFailure) {
    for handle in transfers.keys { remove(handle)?.fail(failure) }
  }

  private mutating func remove(_ handle: UnsafeMutableRawPointer) -> Transfer? {
    guard let transfer = transfers.removeValue(forKey: handle) else { return nil }
    handles[ObjectIdentifier(transfer.exchange)] = nil
    curl_multi_remove_handle(multi, handle)
    return transfer
  }
}
