import UnderstudyMock
import UnderstudyServer
import UnderstudySystem
import UnderstudyVerification

/// What the keys of a terminal do to the mock that runs in it.
struct SessionKeys {
  let host: MockHost
  let mock: Mock
  let lines: LineQueue
  let console: String

  static let help = """
    h  this help            o  open the console
    r  load files again     c  clear what is forced, and the faults of the console
    l  the last request     q  quit

    """

  func press(_ key: Character) {
    switch key {
    case "h", "?": lines.notify(Self.help)
    case "o": open()
    case "r": reload()
    case "c":
      host.clear(by: mock)
      lines.notify("nothing is forced\n")
    case "l":
      lines.notify(host.lastRequest(of: mock).map { ExchangeText($0.value).plain } ?? "no request has arrived yet\n")
    case "q": kill(getpid(), SIGINT)
    case "\n", "\r": lines.notify("\n")
    default: break
    }
  }

  private func open() {
    lines.notify("console: \(console)\n")
    #if os(macOS)
    let program = "open"
    #else
    let program = "xdg-open"
    #endif
    Task.detached { [console] in
      // A machine without a browser has no program for it; the address is printed.
      _ = try? await ChildProcess.run([program, console])
    }
  }

  private func reload() {
    Task { [host, lines] in
      if await host.reload() == nil { lines.notify("nothing to load\n") }
    }
  }
}
