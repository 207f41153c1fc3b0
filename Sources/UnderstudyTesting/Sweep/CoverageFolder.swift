import UnderstudyClient
import UnderstudyMock
import UnderstudySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder that gets the coverage of each sweep, in a file of its own.
struct CoverageFolder: Sendable {
  let path: String

  private static let variable = "UNDERSTUDY_COVERAGE"

  /// That of the environment; `nil` where it names none.
  static let current: CoverageFolder? = {
    guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return nil }
    return CoverageFolder(path: path)
  }()

  /// Writes the coverage of a sweep.
  ///
  /// - Throws: `UnderstudyError` where the file cannot be written.
  func write(_ sweep: Sweep) throws(UnderstudyError) {
    let file = Path.join(path, Self.name(of: sweep.record.location))
    do throws(FileProblem) {
      try FileSystem.replace(file, with: Array(sweep.coverageReport.utf8))
    } catch {
      throw UnderstudyError(
        .failed, "\(Self.variable): the coverage cannot be written to \(error.path): \(error.message)")
    }
  }

  /// How many sweeps of a name this process has written.
  private static let counts = Lock<[String: Int]>([:])

  /// `ChatTests-12-1a2b3c.json`: the same in each run of the tests, so that a run replaces the files of the one before.
  private static func name(of location: SourceLocation) -> String {
    let line = "\(Path.stem(of: location.fileID))-\(location.line)"
    let test = StableHash.of([location.fileID, "\(location.column)", SweptTest.current?.name ?? ""])
    let name = "\(line)-\(String(test, radix: 16))"
    let count = counts.withLock { counts in
      counts[name, default: 0] += 1
      return counts[name] ?? 1
    }
    return count == 1 ? "\(name).json" : "\(name)-\(count).json"
  }
}
