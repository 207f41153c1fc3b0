/// A growing list that becomes a table of a program.
///
/// An array would check at every change whether it is shared, and its elements would be copied at the end: together a
/// quarter of the cost of compiling.
struct TableBuilder<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter capacity: The number of elements to reserve memory for.
  init(capacity: Int = 0) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  var isEmpty: Bool { count == 0 }
  var indices: Range<Int> { 0..<count }

  subscript(index: Int) -> Element {
    @inline(__always)
    get {
      checkBounds(index)
      return base[index]
    }
    @inline(__always)
    set {
      checkBounds(index)
      base[index] = newValue
    }
  }

  /// A single comparison: a negative index is too large as an unsigned number.
  @inline(__always)
  private func checkBounds(_ index: Int) { precondition(UInt(bitPattern: index) < UInt(bitPattern: count)) }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: capacity * 2) }
    (base + count).initialize(to: element)
    count += 1
  }

  mutating func append(contentsOf elements: some Collection<Element>) {
    let end = count + elements.count
    if end > capacity { grow(to: max(end, capacity * 2)) }
    _ = UnsafeMutableBufferPointer(start: base + count, count: elements.count).initialize(fromContentsOf: elements)
    count = end
  }

  mutating func append(repeating element: Element, count added: Int) {
    let end = count + added
    if end > capacity { grow(to: max(end, capacity * 2)) }
    (base + count).initialize(repeating: element, count: added)
    count = end
  }

  /// Removes the last element, if there is one.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return (base + count).move()
  }

  /// Reverses the elements from an index on.
  mutating func reverse(from first: Int) {
    precondition(first <= count)
    var last = UnsafeMutableBufferPointer(start: base + first, count: count - first)
    last.reverse()
  }

  /// Calls `body` with some of the elements.
  func withElements<R>(in range: Range<Int>, _ body: (UnsafeBufferPointer<Element>) -> R) -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return body(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  private mutating func grow(to capacity: Int) {
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    grown.moveInitialize(from: base, count: count)
    base.deallocate()
    base = grown
    self.capacity = capacity
  }
}

extension TableBuilder where Element: BitwiseCopyable {
  /// All elements as a table, without copying them.
  consuming func table() -> Table<Element> {
    let table = Table(base: base, count: count)
    discard self
    return table
  }

  /// A table of the transformed elements.
  func table<Other: BitwiseCopyable>(_ transform: (Element) -> Other) -> Table<Other> {
    var others = TableBuilder<Other>(capacity: count)
    for index in indices { others.append(transform(base[index])) }
    return others.table()
  }
}

/// A constant array that is read without reference counting or bounds checks.
struct Table<Element: BitwiseCopyable>: ~Copyable {
  let base: UnsafePointer<Element>
  let count: Int

  fileprivate init(base: UnsafeMutablePointer<Element>, count: Int) {
    self.base = UnsafePointer(base)
    self.count = count
  }

  deinit { base.deallocate() }

  var bytes: Int { count * MemoryLayout<Element>.stride }
}
