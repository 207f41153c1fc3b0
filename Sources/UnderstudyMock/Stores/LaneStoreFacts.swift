/// The store of the lanes and its use since the start, for the banner, `/metrics` and the health of the mock.
package struct LaneStoreFacts: Sendable {
  /// The kind and the name of the store: `SQLite lanes.db`.
  package let summary: String
  /// The number of processes that have used the store before this one.
  package let earlierProcesses: Int
  /// The number of stored changes; requests that waited together share a change.
  package internal(set) var commits = 0
  /// The size of the stored states, in bytes.
  package internal(set) var bytes = 0
  /// The number of changes that were repeated on a newer state.
  package internal(set) var conflicts = 0
  /// The number of changes that were not stored.
  package internal(set) var failures = 0
}

extension MetricsText {
  package mutating func add(_ store: LaneStoreFacts) {
    metric("store_info", "gauge", "The store of the lanes.")
    sample("store_info", [("store", store.summary)], "1")
    for (name, help, value) in [
      ("store_commits_total", "Stored changes of lanes; requests that waited together share one.", store.commits),
      ("store_bytes_total", "Stored states of lanes, in bytes.", store.bytes),
      ("store_conflicts_total", "Changes of lanes that were repeated on a newer state.", store.conflicts),
      ("store_failures_total", "Changes of lanes that were not stored.", store.failures),
    ] {
      metric(name, "counter", help)
      sample(name, [], "\(value)")
    }
  }
}
