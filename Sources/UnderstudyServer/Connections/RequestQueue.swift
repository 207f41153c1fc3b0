import NIOCore

/// The requests of a connection that wait for their answers. Mostly there is only one, which needs no buffer.
struct RequestQueue {
  private var first: ReceivedRequest?
  private var others = CircularBuffer<ReceivedRequest>(initialCapacity: 1)

  var isEmpty: Bool { first == nil }

  mutating func append(_ request: ReceivedRequest) {
    if first == nil { first = request } else { others.append(request) }
  }

  mutating func popFirst() -> ReceivedRequest? {
    guard let request = first.take() else { return nil }
    if !others.isEmpty { first = others.removeFirst() }
    return request
  }

  mutating func removeAll() {
    first = nil
    others.removeAll()
  }
}
