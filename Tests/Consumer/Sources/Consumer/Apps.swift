// The code of docs/ios.md; elsewhere the compiler checks the syntax.
#if os(iOS)
import Foundation

enum Backend {
  /// `API_BASE_URL`, from a test or from the scheme, replaces the real server.
  static let baseURL = URL(string: ProcessInfo.processInfo.environment["API_BASE_URL"] ?? "https://api.example.com/v1")
}
#endif
