import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reads the hours of a shop.
public struct HoursClient: Sendable {
  let baseURL: URL
  /// Unlike the shared session, it stores no responses.
  private let session = URLSession(configuration: .ephemeral)

  /// A client of one backend.
  public init(baseURL: URL) { self.baseURL = baseURL }

  /// The hours of a day, such as `09:30`.
  public struct Hours: Decodable, Hashable, Sendable {
    /// The beginning.
    public let opens: String
    /// The end.
    public let closes: String
  }

  /// The hours of a day; `nil` for a day off.
  public func hours(on day: String) async throws -> Hours? {
    let (body, _) = try await session.data(from: baseURL.appending(path: "hours/\(day)"))
    return try? JSONDecoder().decode(Hours.self, from: body)
  }
}
