/// What ends every process with a `URLSession` on Linux: FoundationNetworking stops with a fatal error when a connection
/// closes within the head.
enum FoundationNetworkingCrash {
  #if canImport(Darwin)
  private static let variants: Set<String> = []
  #else
  private static let variants: Set = ["close head"]
  #endif

  private static let message = "Transfer completed, but there's no response"

  /// Whether a variant ends the process, so that only a child process can run it.
  static func isCaused(by variant: String) -> Bool { variants.contains(variant) }

  /// Whether a crash in a variant is not the client's own.
  static func isCause(of message: String, by variant: String) -> Bool {
    isCaused(by: variant) && message.contains(Self.message)
  }
}
