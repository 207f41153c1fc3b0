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
    guard let lost = store.lostExchanges else { return }
    metric("store_exchanges_lost_total", "counter", "Exchanges that a shared store did not get.")
    sample("store_exchanges_lost_total", [], "\(lost)")
    metric("store_cut_off", "gauge", "1 while a replica has no contact with a shared store.")
    sample("store_cut_off", [], store.isCutOff ? "1" : "0")
  }
}
