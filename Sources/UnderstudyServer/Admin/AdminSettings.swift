import UnderstudyMock

package struct AdminSettings: Sendable {
  package var root = defaultRoot
  package var isLocal: Bool
  /// What requests must bring; `nil` where being on this machine is enough.
  package var token: String?
  /// What requests of browsers must bring. Only the console has it: pages of an upstream share its origin.
  package var consoleKey = newToken()
  /// The files of the console; empty for a server without that page.
  package var console: [ConsoleFile]
  /// What only the program can do, since a test links no recorder.
  package var tools: AdminTools?

  package static let defaultRoot = "/__admin"

  package init(
    isLocal: Bool, root: String = defaultRoot, token: String? = nil, console: [ConsoleFile] = [],
    tools: AdminTools? = nil
  ) {
    self.isLocal = isLocal
    self.root = root
    self.token = token
    self.console = console
    self.tools = tools
  }

  /// 130 random bits. (The generator of the system is cryptographically secure.)
  package static func newToken() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
    return String((0..<26).map { _ in letters[Int.random(in: 0..<32)] })
  }

  /// Why a path cannot be the root; `nil` if it can.
  package static func problem(ofRoot root: String) -> String? {
    let segments = root.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let isPlain = segments.allSatisfy { segment in
      !segment.isEmpty && segment.first != "." && segment.first != "~"
        && segment.utf8.allSatisfy { byte in
          UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.~".utf8.contains(byte)
        }
    }
    return root.hasPrefix("/") && !segments.isEmpty && isPlain && root.utf8.count <= 100
      ? nil : "expected a path of letters, digits and `-_.`, as in /__understudy"
  }

  package func isAsked(by target: String) -> Bool {
    guard target.hasUTF8Prefix(root) else { return false }
    let next = target.utf8.dropFirst(root.utf8.count).first
    return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
  }
}
