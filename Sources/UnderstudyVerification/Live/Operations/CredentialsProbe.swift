/// Sends some requests with and without credentials before all others: a server may reject made-up ones where it needs none,
/// and a request that it rejects shows later whether it still asks for credentials.
struct CredentialsProbe {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress

  /// The maximum number of operations that are asked.
  private static let limit = 2

  /// The remark on the run if made-up credentials improve no response; `nil` if they do, or no operation can show it.
  func remarkIfUseless() async -> String? {
    var statuses: [Int] = []
    for subject in candidates {
      guard progress.reasonToStop == nil,
        let call = ValidRequests(subject: subject, count: settings.count, known: known).call(1)
      else { continue }
      var plain = call.draft
      plain.credentials = .none
      guard let wire = subject.writer.write(plain), wire != call.wire,
        let without = try? await client.send(wire, LedgerPurpose(.credentials, label: "without credentials"))
      else { continue }
      // A run of valid requests concludes nothing about credentials, and sends no further request without them.
      let isLocked = settings.mode != .positive && progress.noteLocked(wire, without.status)
      guard origin(of: subject) == .invented else {
        if isLocked { break }
        continue
      }
      guard let with = try? await client.send(call, of: subject, as: .credentials) else { continue }
      guard Self.rank(without.status) >= Self.rank(with.status) else { return nil }
      statuses.append(without.status)
    }
    guard !statuses.isEmpty else { return nil }
    let seen = statuses.unique().map(String.init).joined(separator: " and ")
    return "no credentials were given, and made-up ones are left out: the server responds as well without (\(seen))"
  }

  private var known: KnownValues {
    KnownValues(settings.values, secrets: subjects.all.prefix(1).map(\.compiled.secrets))
  }

  private func origin(of subject: LiveOperation) -> Ledger.Credentials {
    subject.writer.credentials.origin(of: .good, for: subject.operation)
  }

  /// Operations that only read, need no data, and ask for credentials.
  private var candidates: [LiveOperation] {
    subjects.all.lazy.filter { subject in
      subject.operation.method == "GET" && subject.operation.template.names.isEmpty && subject.danger == .none
        && !subject.operation.security.isEmpty && !subject.documentsStream
        && (origin(of: subject) == .invented || (origin(of: subject) == .given && settings.mode != .positive))
        && !subject.onlyUpgrades && subjects.isChosen(subject, settings)
    }.prefix(Self.limit).map(\.self)
  }

  /// Successes are better than rejections for the form, and those better than rejections for the credentials.
  private static func rank(_ status: Int) -> Int {
    switch status {
    case 200...399: 2
    case 401, 403: 0
    default: 1
    }
  }
}
