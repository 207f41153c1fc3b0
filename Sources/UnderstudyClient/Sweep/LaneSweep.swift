extension Lane {
  /// Runs a client once for each answer that it can get: every documented status of every operation that it calls, then
  /// hostile variants of the default responses.
  ///
  /// Each run has a lane of its own, which is opened as this one was, with the replies of this one. Its requests are neither
  /// in the calls nor in the verdict of this lane. The first run, with default responses, finds the operations.
  ///
  /// ```swift
  /// let sweep = try await lane.sweep { lane in try await Client(baseURL: lane.baseURL).profile() }
  /// try sweep.expect(.noHang, .throwsFor(500...599))
  /// ```
  ///
  /// - Parameters:
  ///   - operations: The ids of the operations whose answers vary; all that the client calls without it.
  ///   - limit: The longest run, the first one excepted; after it the client counts as hung, and its task is cancelled.
  ///   - seed: Selects the members where a body has more than a run changes.
  ///   - sourceLocation: The line of the test, for failures.
  ///   - client: Calls the client at the address of a run's lane; what it returns is shown in the table.
  /// - Throws: When the client fails with default responses, or calls no operation.
  public func sweep<Value: Sendable>(
    _ operations: String..., within limit: Duration = .seconds(5), seed: String = "0",
    sourceLocation: SourceLocation = #_sourceLocation,
    client: @escaping @Sendable (Lane) async throws -> Value
  ) async throws -> Sweep {
    for operation in operations { try await require(operation, at: sourceLocation) }
    let driver = SweepDriver(lane: self, limit: limit, client: client)
    let variants = try await ask("sweep", at: sourceLocation, needing: "variants") { lane, admin in
      try await driver.variants(of: operations, seed, by: admin)
    }
    var rows: [Sweep.Row] = []
    for variant in variants where !variant.endsProcess && !variant.isTooLong {
      rows.append(
        try await ask("sweep", at: sourceLocation) { _, admin in try await driver.row(of: variant, by: admin) })
    }
    return Sweep(rows, issues)
  }
}

/// One answer of a sweep, as the mock makes it.
struct SweepVariant: Sendable {
  let operation: String
  let name: String
  let kind: String
  let status: Int?
  let isUnusable: Bool
  /// The members of a lane's reply.
  let reply: [String: JSONValue]

  init?(_ value: JSONValue) {
    guard let operation = value["operation"]?.string, let name = value["name"]?.string,
      let kind = value["kind"]?.string,
      let reply = value["reply"]?.members
    else { return nil }
    self.operation = operation
    self.name = name
    self.kind = kind
    self.reply = reply
    status = value["status"]?.int
    isUnusable = value["isUnusable"]?.bool ?? false
  }

  /// Whether the answer is the usual one, late or broken.
  var keepsAnswer: Bool { Set(reply.keys).isSubset(of: ["delay", "fault"]) }

  /// Whether the admin API would refuse it: a list of 10,000 large elements.
  var isTooLong: Bool { (reply["base64"]?.string?.utf8.count ?? 0) > 1_000_000 }

  /// Whether it ends every process with a `URLSession`: on Linux, FoundationNetworking stops with a fatal error when a
  /// connection closes within the head.
  var endsProcess: Bool {
    #if canImport(FoundationNetworking)
    name == "close head"
    #else
    false
    #endif
  }
}
