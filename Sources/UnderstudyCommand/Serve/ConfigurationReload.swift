import UnderstudyMock
import UnderstudyVerification

/// Applies a changed config file to a running mock.
///
/// Its values never change; it is a class because a session holds it, which is copied.
final class ConfigurationReload: Sendable {
  private let options: Serve
  private let configuration: Configuration

  init(options: Serve, _ configuration: Configuration) {
    self.options = options
    self.configuration = configuration
  }

  /// The config file that is in use.
  var path: String? { configuration.path }

  /// Reads the file again.
  ///
  /// - Returns: The session with the new settings, or `nil` if the file has errors; and messages for the log. Settings of
  ///   the socket and of fetched contracts stay as they are, and a message names them.
  func session(after old: ServeSession) -> (session: ServeSession?, messages: [String]) {
    let style = old.common.standardError
    let (new, diagnostics) = Configuration.find(named: options.common.config)
    let printer = DiagnosticPrinter(style: style)
    var messages = diagnostics.map(printer.text)
    guard diagnostics.count(.error) == 0 else { return (nil, messages) }
    do {
      var (session, late) = try merged(new, old)
      session.settings = ConfigurationReload(options: options, new)
      if new.port != configuration.port, case .banner = old.announcement { late.append("port") }
      if !late.isEmpty {
        messages.append(
          "\(style.yellow("restart to apply")) \(late.map { "`\($0)`" }.joined(separator: ", ")) of "
            + "\(new.path ?? Configuration.fileName)\n")
      }
      return (session, messages)
    } catch let failure as CommandFailure {
      messages.append("\(style.red("error:")) \(failure.message ?? "the settings are not valid")\n")
      if let help = failure.help { messages.append("  help: \(help)\n") }
    } catch {
      messages.append("\(style.red("error:")) \(error)\n")
    }
    return (nil, messages)
  }

  /// The session of the new settings, with the parts of the old one that cannot change; `late` names those that differ.
  private func merged(_ new: Configuration, _ old: ServeSession) throws -> (session: ServeSession, late: [String]) {
    var late: [String] = []
    var sources = old.sources
    if options.contracts.specs.isEmpty, !Self.areSame(new.contracts, configuration.contracts) {
      if options.contracts.allowRemoteRefs || (new.contracts + old.sources).contains(where: \.isFetched) {
        late.append("contracts")
      } else if new.contracts.isEmpty, !old.sources.contains(where: \.isInMemory) {
        throw CommandFailure(.usage, "no contract is named", help: "list it under `contracts`")
      } else {
        sources = try options.contracts.granted(new.contracts, new) + old.sources.filter(\.isInMemory)
      }
    }
    var session = try options.session(new, port: old.port, sources: sources)
    func keep<Value: Equatable>(_ key: String, _ path: WritableKeyPath<ServeSession, Value>) {
      if session[keyPath: path] != old[keyPath: path] { late.append(key) }
      session[keyPath: path] = old[keyPath: path]
    }
    keep("host", \.host)
    keep("cors", \.options.allowsCrossOrigin)
    keep("watch", \.watches)
    keep("store", \.store)
    keep("upstream-timeout", \.client.timeout)
    keep("upstream-http", \.client.usesHTTP2)
    keep("upstream-connections", \.client.connections)
    if session.options.upstream?.url != old.options.upstream?.url {
      late.append("upstream")
      // The policy depends on whether there is an upstream.
      session.options.onInvalid = old.options.onInvalid
    }
    session.options.upstream = old.options.upstream
    session.options.addedRoutes = old.options.addedRoutes
    session.client.trusted = old.client.trusted
    session.isQuiet = old.isQuiet
    session.announcement = old.announcement
    return (session, late)
  }

  private static func areSame(_ a: [ContractSource], _ b: [ContractSource]) -> Bool {
    a.elementsEqual(b) { $0.path.utf8Equals($1.path) && $0.name.utf8Equals($1.name) && $0.reading == $1.reading }
  }
}
