/// Joins the descriptions of several runs.
enum RunMerger {
  /// One run of several; without all parts of a run in parts it is incomplete.
  static func merge(_ runs: [Report.Run]) -> Report.Run {
    func unique(_ texts: [String]) -> [String] {
      var seen = Set<String>()
      return texts.filter { seen.insert($0).inserted }
    }
    func joined(_ texts: [String?]) -> String? {
      let texts = unique(texts.compactMap(\.self))
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
    var run = Report.Run(
      joined(runs.map(\.command)) ?? "", contracts: unique(runs.flatMap(\.contracts)),
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

  /// Parts that a run in parts should have, by command.
  private static func missing(_ runs: [Report.Run]) -> [String] {
    var parts: [String: (count: Int, found: Set<Int>)] = [:]
    var order: [String] = []
    for run in runs {
      guard let shard = run.shard.flatMap(Shard.init(_:)) else { continue }
      let of = (run.contracts.sorted() + [run.target].compactMap(\.self)).joined(separator: ", ")
      let key = "\(run.command) in \(shard.count) parts\(of.isEmpty ? "" : " (\(of))")"
      if parts[key] == nil { order.append(key) }
      parts[key, default: (shard.count, [])].found.insert(shard.index)
    }
    return order.compactMap { key in
      guard let (count, found) = parts[key] else { return nil }
      let missing = (1...count).filter { !found.contains($0) }
      guard !missing.isEmpty else { return nil }
      let shown = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
      return "of \(key) there is no report of \(shown)\(missing.count > 10 ? " and others" : "")"
    }
  }

  /// What the parts do not agree in, told once for every other value.
  static func differences(_ parts: [ReportMerger.Part]) -> [String] {
    func differ(_ what: String, _ value: (Report.Run) -> String?) -> [String] {
      var first: [String: String] = [:]
      var order: [String] = []
      for part in parts {
        guard let value = value(part.report.run), first[value] == nil else { continue }
        first[value] = part.name
        order.append(value)
      }
      guard order.count > 1 else { return [] }
      return [
        "the reports have different \(what): " + order.map { "\($0) (\(first[$0] ?? ""))" }.joined(separator: ", ")
      ]
    }
    return differ("versions of understudy") { $0.version }
      + differ("contracts") { $0.contracts.sorted().joined(separator: " + ") }
  }
}
