import Foundation

/// The output of a running process, read as it comes.
final class ProcessOutput: Sendable {
  /// What the process writes to.
  let pipe = Pipe()
  private let state = State()

  /// Changed only while the condition is locked.
  private final class State: @unchecked Sendable {
    let condition = NSCondition()
    var bytes: [UInt8] = []
    var isComplete = false
  }

  /// Begins to read, after the process was started.
  func start() {
    // The process alone holds the other end now, so its end is the end of the output.
    try? pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    Thread.detachNewThread { [self] in
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while !drain() { poll(&input, 1, -1) }
    }
  }

  /// What was written so far.
  var text: String {
    drain()
    return state.condition.withLock { String(decoding: state.bytes, as: UTF8.self) }
  }

  /// Waits until the output so far meets a condition; returns whether it does before the output ends or the time is over.
  func waits(seconds: Double = 20, until isMet: (String) -> Bool) -> Bool {
    let end = Date.now.addingTimeInterval(seconds)
    state.condition.lock()
    defer { state.condition.unlock() }
    while true {
      if isMet(String(decoding: state.bytes, as: UTF8.self)) { return true }
      guard !state.isComplete, state.condition.wait(until: end) else { return false }
    }
  }

  /// Reads what is there; returns whether that was the last.
  @discardableResult
  private func drain() -> Bool {
    state.condition.withLock {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !state.isComplete {
        let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { break }
        if count > 0 { state.bytes += buffer[..<count] } else { state.isComplete = true }
        state.condition.broadcast()
      }
      return state.isComplete
    }
  }
}
