import UnderstudyMock

/// The changes of the whole mock, which each replica makes.
extension MockHost {
  /// Reads the contracts and fixtures again, in all replicas; each reads its own files.
  ///
  /// - Returns: Whether this replica serves a new mock; `nil` for a mock without files.
  func reloadAll() async -> Bool? {
    let isReloaded = await reload()
    guard isReloaded == true, let replicas else { return isReloaded }
    let change = JSON.object([("reload", true)])
    // A replica that hears of it later serves the earlier contract, and stateful requests are rejected meanwhile.
    _ = await replicas.wait { () throws(LaneProblem) in try replicas.announce(change) }
    return isReloaded
  }

  /// Forgets the requests that the journal shows.
  func clearJournal() throws(LaneProblem) {
    try replicas?.clearExchanges()
    journal.clear()
  }

  /// Counts the requests of the lane without a name from zero.
  func restartUnnamed() throws(LaneProblem) {
    journal.restartUnnamed()
    try replicas?.restartUnnamed()
  }

  /// Keeps the name of a lane that was opened for a test: a late request of its client opens no lane.
  func noteClosed(_ name: LaneName) throws(LaneProblem) {
    closed.add(name)
    try replicas?.announce(.object([("closed", .string(name.text))]))
  }

  /// Uses routes for all lanes.
  func useRoutes(_ routes: [AddedRoute], of mock: Mock) throws(LaneProblem) {
    mock.options.addedRoutes.routes = routes
    try replicas?.use(routes)
  }

  /// The numbers of exchanges of all replicas, by the operation and the status.
  func requestCounts() throws(LaneProblem) -> [JournalTotals.Key: Int] {
    guard let replicas else { return journal.totals.requests }
    return try replicas.tally(since: .max).0.requests
  }
}

extension ReplicaGroup {
  /// Lets a host make the changes that other replicas announce.
  func begin(for host: MockHost) {
    tally { [journal = host.journal] in
      ReplicaTally(requests: journal.totals.requests, unnamed: journal.unnamed)
    }
    onRejoin { [sockets = host.sockets] in sockets.closeAll(because: "the mock had lost its store") }
    // The group belongs to the lanes of the host.
    onChange { [weak self] change in self?.apply(change, to: host) }
    workers.submit { [weak self] in self?.useRoutes(in: host) }
  }

  private func apply(_ change: JSON, to host: MockHost) {
    if change["reload"] != nil {
      Task { await host.reload() }
    }
    if change["restartUnnamed"] != nil { host.journal.restartUnnamed() }
    if let name = change["closed"].flatMap({ try? LaneName($0.text) }) { host.closed.add(name) }
    if change["routes"] != nil { useRoutes(in: host) }
  }

  private func useRoutes(in host: MockHost) {
    guard let mock = host.mock, let routes = (try? routes()) ?? nil else { return }
    mock.options.addedRoutes.routes = routes
  }
}
