import Synchronization

/// Reads content ahead of its reader: to learn whether it is complete soon, and to keep what has passed.
final class BodyRelay: AsyncSequence, Sendable {
  typealias Element = [UInt8]

  private let pipe: BodyPipe
  private let pump: Task<Void, Never>

  /// Reads in a task of its own, not on the loop of the connection: it may end after that.
  ///
  /// - Parameter limit: The most bytes that are read ahead and kept.
  init(_ content: Body, limit: Int) {
    let pipe = BodyPipe(limit: limit)
    self.pipe = pipe
    pump = Task {
      do {
        for try await piece in content {
          guard await pipe.write(piece) else { return }
        }
        pipe.finish(.success(()))
      } catch {
        pipe.finish(.failure(error))
      }
    }
  }

  deinit {
    pump.cancel()
    pipe.abandon()
  }

  /// The bytes so far.
  var passed: PassedBytes { PassedBytes(pipe) }

  /// All of the content, if it is complete within a time; `nil` if it is longer than the limit, or late.
  func whole(within patience: Duration) async throws -> [UInt8]? {
    let timer = Task { [pipe] in
      try? await Task.sleep(for: patience)
      pipe.stopWaiting()
    }
    defer { timer.cancel() }
    return try await pipe.whole()
  }

  func makeAsyncIterator() -> Iterator { Iterator(relay: self, pipe: pipe) }

  struct Iterator: AsyncIteratorProtocol {
    /// Retained, because the content ends with it.
    let relay: BodyRelay
    fileprivate let pipe: BodyPipe

    func next() async throws -> [UInt8]? { try await pipe.read() }
  }
}

/// The bytes of a body that was sent on while it arrived, as far as they are kept.
package struct PassedBytes: Sendable {
  private let pipe: BodyPipe

  fileprivate init(_ pipe: BodyPipe) { self.pipe = pipe }

  /// The part that can be validated.
  struct Result {
    var bytes: [UInt8]
    /// Why it is not validated; `nil` if it is.
    var reason: String?
    /// Whether it is all of the body.
    var isWhole: Bool
  }

  /// The whole body, or the complete records of a body that broke off.
  func result(for response: HTTPResponse) -> Result {
    let (bytes, isWhole, isCut) = pipe.kept()
    guard !isCut else { return Result(bytes: [], reason: Body.tooLong("answer"), isWhole: false) }
    if isWhole { return Result(bytes: bytes, reason: nil, isWhole: true) }
    // Records end with a line end, those of an event stream with an empty line.
    let end: [UInt8]? =
      switch response.headerFields.contentType.flatMap({ MediaRange($0) })?.syntax {
      case .jsonSequence: [10]
      case .eventStream: [10, 10]
      default: nil
      }
    guard let end else {
      return Result(bytes: [], reason: "the answer's body ended after \(bytes.count.counted("byte"))", isWhole: false)
    }
    var count = bytes.count
    while count > 0, !bytes[..<count].suffix(end.count).elementsEqual(end) { count -= 1 }
    guard count > 0 else {
      return Result(bytes: [], reason: "the answer's body has no complete record", isWhole: false)
    }
    return Result(bytes: Array(bytes[..<count]), reason: nil, isWhole: false)
  }
}

/// The queue between the task that reads content and the one that sends it on.
private final class BodyPipe: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var waiting = 0
    /// All bytes so far, unless they exceed the limit.
    var kept: [UInt8] = []
    var isCut = false
    var end: Result<Void, any Error>?
    var isAbandoned = false
    var isUrgent = false
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// Adds a piece, and waits while too many bytes are waiting. Returns `false` if there is no reader any more.
  func write(_ piece: [UInt8]) async -> Bool {
    await withCheckedContinuation { writer in
      let (waits, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
        state.pieces.append(piece)
        state.waiting += piece.count
        if !state.isCut { state.kept += piece }
        if state.kept.count > limit { (state.kept, state.isCut) = ([], true) }
        let waits = state.waiting > limit && !state.isAbandoned
        if waits { state.writer = writer }
        // Before the reader takes pieces, it waits for the end or for too many of them.
        return (waits, state.isUrgent || state.isCut ? state.reader.take() : nil)
      }
      if !waits { writer.resume() }
      reader?.resume()
    }
    return state.withLock { !$0.isAbandoned }
  }

  func finish(_ end: Result<Void, any Error>) {
    state.withLock { state in
      state.end = end
      return state.reader.take()
    }?.resume()
  }

  /// The reader takes pieces as they arrive.
  func stopWaiting() {
    state.withLock { state in
      state.isUrgent = true
      return state.reader.take()
    }?.resume()
  }

  func abandon() {
    state.withLock { state in
      state.isAbandoned = true
      return state.writer.take()
    }?.resume()
  }

  /// All of the content; `nil` if there is too much of it, or `stopWaiting` was called.
  func whole() async throws -> [UInt8]? {
    await untilReady { $0.end != nil || $0.isUrgent || $0.isCut }
    let (bytes, end) = state.withLock { ($0.isCut ? nil : $0.kept, $0.end) }
    guard let end else { return nil }
    try end.get()
    return bytes
  }

  /// The next bytes; `nil` after the last.
  func read() async throws -> [UInt8]? {
    stopWaiting()
    while true {
      await untilReady { !$0.pieces.isEmpty || $0.end != nil }
      let (piece, end, writer, isAbandoned) = state.withLock { state in
        let piece = state.pieces.isEmpty ? nil : state.pieces.removeFirst()
        state.waiting -= piece?.count ?? 0
        return (piece, state.end, state.waiting <= limit ? state.writer.take() : nil, state.isAbandoned)
      }
      writer?.resume()
      if let piece { return piece }
      try end?.get()
      // A late `stopWaiting` has another reason.
      if end != nil || isAbandoned { return nil }
    }
  }

  /// What has arrived, whether it is all, and whether it was too much to be kept.
  func kept() -> ([UInt8], isWhole: Bool, isCut: Bool) {
    state.withLock { state in
      if case .success = state.end, state.pieces.isEmpty { return (state.kept, true, state.isCut) }
      // Without the bytes that nobody has read.
      return (state.isCut ? [] : Array(state.kept.dropLast(state.waiting)), false, state.isCut)
    }
  }

  private func untilReady(_ isReady: @Sendable (borrowing State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let isDone = state.withLock { state in
          if isReady(state) || state.isAbandoned { return true }
          state.reader = reader
          return false
        }
        if isDone { reader.resume() }
      }
    } onCancel: {
      // The client left: nobody needs the rest.
      finishIfOpen()
    }
  }

  private func finishIfOpen() {
    state.withLock { state in
      if state.end == nil { state.end = .failure(CancellationError()) }
      return state.reader.take()
    }?.resume()
  }
}
