/// Merges the descriptions of several runs.
enum RunMerger {
  /// The merged run. It is incomplete if a part of a divided run is missing.
  static func merge(_ runs: [Report.Run]) -> Report.Run {
    func joined(_ texts: [String?]) -> String? {
      let texts = texts.compactMap(\.self).unique()
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
    var run = Report.Run(
      joined(runs.map(\.command)) ?? "", contracts: runs.flatMap(\.contracts).unique(),
      target: joined(runs.map(\.target)),
      startedAt: runs.map(\.startedAt).min { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? "")
    run.seed = joined(runs.map(\.seed))
    run.limits = joined(runs.map(\.limits))
    run.version = joined(runs.map(\.version))
    run.duration = runs.reduce(.zero) { $0 + $1.duration }
    let reasons = runs.compactMap { run in
      run.abortedBecause.map { reason in (run.shard.map { "part \($0): " } ?? "") + reason }
    }
    run.abortedBecause = joined(reasons + missing(runs))
    return run
  }

  /// The missing parts of divided runs, by command.
  private static func missing(_ runs: [Report.Run]) -> [String] {
    let parts = runs.compactMap { run in
      run.shard.flatMap(Shard.init(_:)).map { shard -> (run: String, shard: Shard) in
        let inputs = (run.contracts.map(\.path).sorted() + [run.target].compactMap(\.self)).joined(separator: ", ")
        return ("\(run.command) in \(shard.count) parts\(inputs.isEmpty ? "" : " (\(inputs))")", shard)
      }
    }
    return parts.grouped(by: \.run).compactMap { run, parts in
      let (count, found) = (parts[0].shard.count, Set(parts.map(\.shard.index)))
      let missing = (1...count).filter { !found.contains($0) }
      guard !missing.isEmpty else { return nil }
      let shown = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
      return "\(run): the report of \(shown)\(missing.count > 10 ? " and others" : "") is missing"
    }
  }

  /// The values in which the parts differ, each with the first part that has it.
  static func differences(_ parts: [ReportMerger.Part]) -> [String] {
    func differ(_ name: String, _ value: (Report.Run) -> String?) -> [String] {
      let values = parts.filter { value($0.run) != nil }.grouped { value($0.run) ?? "" }
      guard values.count > 1 else { return [] }
      let shown = values.map { "\($0.key) (\($0.elements[0].name))" }.joined(separator: ", ")
      return ["the reports have different \(name): \(shown)"]
    }
    return differ("versions of understudy") { $0.version }
      + differ("contracts") { $0.contracts.map(\.path).sorted().joined(separator: " + ") }
  }
}
