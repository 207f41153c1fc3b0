/// The requests of an operation to start others from: those that its server accepted.
struct AcceptedRequests: Sendable {
  private(set) var smallest: LiveCall?
  private(set) var smallestWithBody: LiveCall?
  /// Whether the server accepted names of one word, after it had refused others.
  private(set) var havePlainNames = false
  /// The largest.
  private(set) var richest: LiveCall?

  init(_ calls: [LiveCall] = []) { for call in calls { take(call) } }

  /// Whether the server accepted one that names in its path what the run knows nothing of.
  func includes(_ namesUnknown: (LiveCall) -> Bool) -> Bool {
    [smallest, smallestWithBody, richest].contains { $0.map(namesUnknown) == true }
  }

  /// Takes a valid request that was answered with 2xx.
  mutating func note(_ call: LiveCall, _ answer: Exchange.Response) {
    if call.isValid, call.purpose != .duplicate, 200...299 ~= answer.status {
      take(call)
      havePlainNames = havePlainNames || call.hasPlainNames
    }
  }

  private mutating func take(_ call: LiveCall) {
    if smallest.map({ call.wire.weight < $0.wire.weight }) ?? true { smallest = call }
    if richest.map({ call.wire.weight > $0.wire.weight }) ?? true { richest = call }
    guard call.draft.body != nil else { return }
    if smallestWithBody.map({ call.wire.weight < $0.wire.weight }) ?? true { smallestWithBody = call }
  }
}
