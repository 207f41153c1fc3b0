import UnderstudySystem

/// Reads content ahead of its reader, to learn whether it is complete soon.
package final class BodyRelay: AsyncSequence, Sendable {
  package typealias Element = [UInt8]

  private let pipe: BodyPipe
  private let pump: Task<Void, Never>

  /// Reads at most `limit` bytes ahead, in a task of its own that may outlive the loop of the connection.
  package init(_ content: Body, limit: Int) {
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

  /// All of the content, if it is complete within a time; `nil` if it is longer than the limit, or late.
  package func whole(within patience: Duration) async throws -> [UInt8]? {
    let timer = Task { [pipe] in
      try? await Task.sleep(for: patience)
      pipe.stopWaiting()
    }
    defer { timer.cancel() }
    return try await pipe.whole()
  }

  package func makeAsyncIterator() -> Iterator { Iterator(relay: self, pipe: pipe) }

  package struct Iterator: AsyncIteratorProtocol {
    /// Retained, because the content ends with it.
    let relay: BodyRelay
    fileprivate let pipe: BodyPipe

    package func next() async throws -> [UInt8]? { try await pipe.read() }
  }
}

/// The queue between the task that reads content and the one that sends it on.
private final class BodyPipe: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    /// The bytes of the pieces.
    var waiting = 0
    var end: Result<Void, any Error>?
    var isAbandoned = false
    var isUrgent = false
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Lock(State())

  init(limit: Int) { self.limit = limit }

  /// Adds a piece, and waits while too many bytes are waiting. Returns `false` if there is no reader any more.
  func write(_ piece: [UInt8]) async -> Bool {
    await withCheckedContinuation { writer in
      let (waits, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
        state.pieces.append(piece)
        state.waiting += piece.count
        let isFull = state.waiting > limit
        let waits = isFull && !state.isAbandoned
        if waits { state.writer = writer }
        // Before the reader takes pieces, it waits for the end or for too many of them.
        return (waits, state.isUrgent || isFull ? state.reader.take() : nil)
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
    await untilReady { [limit] in $0.end != nil || $0.isUrgent || $0.waiting > limit }
    let (pieces, waiting, end) = state.withLock { ($0.pieces, $0.waiting, $0.end) }
    guard let end else { return nil }
    try end.get()
    return waiting > limit ? nil : Array(pieces.joined())
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
      // The client left, so the rest is not needed.
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
