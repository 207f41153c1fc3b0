import Synchronization
import UnderstudySystem

/// The files and folders that a part of a run has used, as they were: its result holds while all of them are the same.
package struct Observations: Sendable, Equatable {
  /// The digests of contents, by path; `nil` for a path that could not be read.
  package var contents: [String: UInt64?] = [:]
  /// The digests of the names in folders, by path; `nil` for a path that could not be listed.
  package var folders: [String: UInt64?] = [:]
  /// The kinds of files, by path; `nil` for a path without a file.
  package var kinds: [String: FileStatus.Kind?] = [:]
  /// Whether the result also depends on the time, or on a file that was not read as a whole.
  package var dependsOnMore = false

  package init() {}

  /// Whether the files and folders are the same now.
  package var hold: Bool {
    !dependsOnMore && kinds.allSatisfy { FileStatus(of: $0.key)?.kind == $0.value }
      && folders.allSatisfy { Self.digest(names: try? FileSystem.names(in: $0.key)) == $0.value }
      && contents.allSatisfy { Self.digest(bytes: (try? FileSystem.read($0.key))?.bytes) == $0.value }
  }

  private static let current = Lock<Observations?>(nil)
  private static let isRecording = Atomic(false)

  /// Runs `body`, and returns what it has used. One at a time: work of other threads meanwhile counts as its own.
  package static func during<Result: Sendable>(
    _ body: () async throws -> Result
  ) async rethrows -> (Result, Observations) {
    current.withLock { $0 = Observations() }
    isRecording.store(true, ordering: .releasing)
    defer {
      isRecording.store(false, ordering: .releasing)
      current.withLock { $0 = nil }
    }
    let result = try await body()
    return (result, current.withLock { $0 } ?? Observations())
  }

  /// Notes a use, if something is observed.
  package static func note(_ change: (inout Observations) -> Void) {
    guard isRecording.load(ordering: .acquiring) else { return }
    current.withLock { observations in
      if var noted = observations {
        // Without a second reference the change copies nothing.
        observations = nil
        change(&noted)
        observations = noted
      }
    }
  }

  /// The digest of a content; `nil` for none.
  package static func digest(bytes: [UInt8]?) -> UInt64? {
    bytes.map { bytes in
      bytes.withUnsafeBufferPointer { StableHash.fold($0, onto: StableHash.start ^ UInt64($0.count)) }
    }
  }

  /// The digest of names in any order; `nil` for none.
  static func digest(names: [String]?) -> UInt64? { names.map { StableHash.of($0.sorted()) } }
}
