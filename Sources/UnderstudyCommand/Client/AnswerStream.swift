import UnderstudySystem
import UnderstudyVerification

/// Passes an answer from the curl thread to the task that reads it.
final class AnswerStream: Sendable {
  private struct State {
    var head: HTTPResponse?
    var bytes: [UInt8] = []
    /// Whether the curl thread waits until these bytes are read.
    var isFull = false
    var end: Result<Void, UpstreamFailure>?
    var headReader: CheckedContinuation<HTTPResponse, any Error>?
    var bytesReader: CheckedContinuation<[UInt8]?, any Error>?
  }

  private let state = Lock(State())

  /// The limit of waiting bytes, which the last piece may exceed.
  static let limit = 64 * 1024

  // MARK: - The curl thread

  /// Passes the head to its reader.
  func begin(_ head: HTTPResponse) {
    let reader = state.withLock { state in
      state.head = head
      return state.headReader.take()
    }
    reader?.resume(returning: head)
  }

  /// Passes a piece to its reader. Returns `false`, without taking it, if too many bytes are waiting.
  func offer(_ piece: UnsafeRawBufferPointer) -> Bool {
    let bytes = Array(piece)
    let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<[UInt8]?, any Error>?) in
      if let reader = state.bytesReader.take() { return (true, reader) }
      state.isFull = state.bytes.count >= Self.limit
      if !state.isFull { state.bytes += bytes }
      return (!state.isFull, nil)
    }
    reader?.resume(returning: bytes)
    return isTaken
  }

  /// Ends the answer. Later calls have no effect.
  func finish(_ end: Result<Void, UpstreamFailure>) {
    let (headReader, bytesReader, end) = state.withLock { state in
      let end = state.end ?? end
      state.end = end
      return (state.headReader.take(), state.bytesReader.take(), end)
    }
    headReader?.resume(with: Self.noHead(end))
    bytesReader?.resume(with: Self.noBytes(end))
  }

  private static func noHead(_ end: Result<Void, UpstreamFailure>) -> Result<HTTPResponse, any Error> {
    Result {
      try end.get()
      throw UpstreamFailure(.closed, "it closed the connection without an answer")
    }
  }

  private static func noBytes(_ end: Result<Void, UpstreamFailure>) -> Result<[UInt8]?, any Error> {
    Result {
      try end.get()
      return nil
    }
  }

  // MARK: - The reader

  /// Waits for the head.
  func head() async throws -> HTTPResponse {
    try await withCheckedThrowingContinuation { reader in
      let outcome: Result<HTTPResponse, any Error>? = state.withLock { state in
        if let head = state.head { return .success(head) }
        if let end = state.end { return Self.noHead(end) }
        state.headReader = reader
        return nil
      }
      if let outcome { reader.resume(with: outcome) }
    }
  }

  /// Waits for the next piece of the body; `nil` after the last.
  ///
  /// - Parameter resume: Called if the curl thread waits and may continue.
  func next(resume: () -> Void) async throws -> [UInt8]? {
    let (bytes, wasFull) = state.withLock { state in
      defer { (state.bytes, state.isFull) = ([], false) }
      return (state.bytes, state.isFull)
    }
    if wasFull { resume() }
    if !bytes.isEmpty { return bytes }
    return try await withCheckedThrowingContinuation { reader in
      let outcome: Result<[UInt8]?, any Error>? = state.withLock { state in
        if !state.bytes.isEmpty {
          defer { state.bytes = [] }
          return .success(state.bytes)
        }
        if let end = state.end { return Self.noBytes(end) }
        state.bytesReader = reader
        return nil
      }
      if let outcome { reader.resume(with: outcome) }
    }
  }
}
