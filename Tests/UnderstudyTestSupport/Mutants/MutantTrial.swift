import Foundation
import Synchronization
import UnderstudyMock

/// One run of `understudy verify` over a project, and the expected findings.
struct MutantTrial: Sendable {
  var title: String
  /// The ids of the rules.
  var expected: Set<String>
  var files: [String: String]
  var arguments: [String]
  /// `nil` for an original.
  var mutant: Mutant?

  /// The outcome of a run.
  struct Outcome: Sendable {
    var found: Set<String> = []
    var checked = 0
    /// The output, if it was not a report.
    var noise: String?
  }

  func run(_ program: String) -> Outcome {
    do {
      let result = try withProject(files) { try Command.run(program, arguments, in: $0) }
      guard let report = try? JSONParser.parse(Array(result.output.utf8)).root, let cases = report["cases"] else {
        return Outcome(found: Self.ids(in: result.error), noise: "exit \(result.code): \(result.error)")
      }
      let findings = cases.elements.flatMap { $0["findings"].map { Array($0.elements) } ?? [] }
      return Outcome(
        found: Set(findings.compactMap { $0["rule"]?.string }), checked: report["summary"]?["checked"]?.int ?? 0)
    } catch {
      return Outcome(noise: "\(error)")
    }
  }

  /// A run that ends before there is a report prints its findings as lines with the id at the end.
  private static func ids(in text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").compactMap { line in
        guard line.hasSuffix("]"), let start = line.lastIndex(of: "[") else { return nil }
        let id = String(line[line.index(after: start)...].dropLast())
        // An excerpt of a file may have the same end.
        return Rule.named(id).map(\.id)
      })
  }

  /// Runs trials concurrently, one per core; the outcomes have the order of the trials.
  static func run(_ trials: [MutantTrial], _ program: String) -> [Outcome] {
    let outcomes = Mutex([Outcome](repeating: Outcome(), count: trials.count))
    DispatchQueue.concurrentPerform(iterations: trials.count) { index in
      let outcome = trials[index].run(program)
      outcomes.withLock { $0[index] = outcome }
    }
    return outcomes.withLock { $0 }
  }
}
