/// A request as the mock lists it, with all that is held of it.
struct Arrival: Sendable {
  let detail: JSONValue
  /// The number of the request, or `nil` until the exchange has ended.
  private let number: Int?
  /// Its number among the open requests; `nil` for one whose response was sent at once.
  private let openNumber: Int?

  /// The requests of a list, in the order of their arrival.
  static func all(in list: JSONValue) -> [Arrival] {
    let ended = (list["requests"]?.array ?? []).reversed().map {
      Arrival(detail: $0, number: $0["id"]?.int, openNumber: $0["open"]?.int)
    }
    let open = (list["open"]?.array ?? []).reversed().map {
      Arrival(detail: $0, number: nil, openNumber: $0["id"]?.int)
    }
    // The sort is stable, and times are of one format.
    return (ended + open).sorted { $0.time < $1.time }
  }

  private var time: String { detail["time"]?.string ?? "" }

  /// The requests that `next` has returned.
  struct Returned: Sendable {
    private var numbers: Set<Int> = []
    private var openNumbers: Set<Int> = []
    /// The mock need not list requests up to this number.
    private(set) var last = 0
    /// The mock need not list open requests up to this number.
    private(set) var lastOpen = 0

    private func contains(_ arrival: Arrival) -> Bool {
      arrival.number.map { $0 <= last || numbers.contains($0) } ?? false
        || arrival.openNumber.map { openNumbers.contains($0) } ?? false
    }

    /// Takes the first request that was not returned.
    mutating func take(from arrivals: [Arrival]) -> Arrival? {
      let next = arrivals.first { !contains($0) }
      if let number = next?.number { numbers.insert(number) }
      if let number = next?.openNumber { openNumbers.insert(number) }
      guard arrivals.allSatisfy(contains) else { return next }
      last = max(last, arrivals.compactMap(\.number).max() ?? 0)
      lastOpen = max(lastOpen, arrivals.compactMap { $0.number == nil ? $0.openNumber : nil }.max() ?? 0)
      numbers = numbers.filter { $0 > last }
      return next
    }
  }
}
