public import Foundation

/// A mock that has lanes: `understudy serve` on this machine, or on the Mac of a simulator or a device, or a mock in this process.
public struct RunningMock: Sendable {
  /// `http://127.0.0.1:4010`, without the paths of the contract's `servers`.
  public let baseURL: URL
  /// What `UNDERSTUDY_ADMIN_TOKEN` is for the mock; needed where other machines reach it.
  let adminToken: String?
  /// Carries requests to the admin API.
  package let transport: any AdminTransport
  let facts: Guarded<MockFacts>

  /// The environment variable with the address of the mock.
  static let variable = "UNDERSTUDY_BASE_URL"
  static let tokenVariable = "UNDERSTUDY_ADMIN_TOKEN"
  static let defaultPort = 4010
  /// App Transport Security does not restrict addresses, as it does names.
  static let defaultAddress = "http://127.0.0.1:\(defaultPort)"

  /// A mock at an address.
  ///
  /// - Parameters:
  ///   - baseURL: As the banner of `understudy serve` has it.
  ///   - adminToken: Of a mock that other machines reach.
  public init(baseURL: URL, adminToken: String? = nil) {
    self.baseURL = baseURL
    self.adminToken = adminToken
    transport = URLSessionTransport.shared
    facts = MockFacts.of(mockAt: baseURL)
  }

  /// Creates a mock whose admin API is reached by a transport, such as a call within the process.
  package init(baseURL: URL, transport: any AdminTransport) {
    self.baseURL = baseURL
    adminToken = nil
    self.transport = transport
    facts = Guarded(MockFacts())
  }

  /// The mock that `UNDERSTUDY_BASE_URL` names, else that at `http://127.0.0.1:4010`.
  public static var current: RunningMock { named(by: ProcessInfo.processInfo.environment) }

  static func named(by environment: [String: String]) -> RunningMock {
    let address = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? defaultAddress
    // A text that is no URL is reported by the first request.
    return RunningMock(
      baseURL: URL(string: address) ?? URL(fileURLWithPath: address), adminToken: environment[tokenVariable])
  }

  /// The address of the admin API.
  var adminRoot: String {
    let text = baseURL.absoluteString
    return (text.hasSuffix("/") ? String(text.dropLast()) : text) + "/__admin"
  }

  /// The version of the program: `0.1.0`.
  public var programVersion: String { get async throws { try await MockHandshake.of(self).program } }

  /// The version of its admin API; 0 for a program that is too old to tell it.
  public var apiVersion: Int { get async throws { try await MockHandshake.of(self).api } }

  /// The features of its admin API: `replies`, `wait`, `limit`, ...
  public var features: Set<String> { get async throws { try await MockHandshake.of(self).features } }

  /// The names of the lanes that are open.
  public var lanes: [String] {
    get async throws {
      _ = try await MockHandshake.of(self)
      let answer = try await AdminClient(mock: self).send("GET", "lanes")
      return (answer["lanes"]?.array ?? []).compactMap { $0["name"]?.string }
    }
  }

  /// The operations that it answers.
  public var operations: [MockOperation] { get async throws { try await MockOperation.all(of: self) } }
}
