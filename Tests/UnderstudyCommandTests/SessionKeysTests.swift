import Foundation
import Testing
import UnderstudyTestSupport

/// The keys of a terminal that a mock has to itself, pressed by a program that plays the terminal.
struct SessionKeysTests {
  /// Starts a mock, presses the keys, each when the answer to the last one has arrived, and prints what the mock printed.
  private static let script = """
    import os, pty, sys, re, termios
    presses = [("h", "this help"), ("l", "no request has arrived yet"), ("r", "reloaded"), ("c", "nothing is forced"),
               ("x", None), ("q", "stopped")]
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.argv[1], sys.argv[1:])
    text = ""
    def wait(what):
        global text
        seen = len(text)
        while what not in text[seen:]:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                piece = b""
            if not piece:
                sys.exit("ended before `" + what + "`: " + text)
            text += piece.decode()
    wait("Ctrl-C stops")
    for key, answer in presses:
        os.write(terminal, key.encode())
        if answer:
            wait(answer)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("code", code, "x shown" if "x" in text.split("nothing is forced")[1].split("stopped")[0].strip() else "")
    """

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `keys show help and the last request, load again, clear and quit`() throws {
    try withProject(["keys.py": Self.script]) { folder in
      let result = try Command.run(
        try #require(PythonServer.path),
        [
          "keys.py", Command.path, "serve", Project.path("specs/petstore.yaml"), "--port", "0", "--no-watch", "--color",
          "never",
        ], in: folder)
      #expect(result.output == "code 0 \n", "\(result)")
    }
  }
}
