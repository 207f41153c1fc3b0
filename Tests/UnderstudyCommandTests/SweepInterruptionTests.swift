import Foundation
import Testing
import UnderstudyTestSupport

/// Ctrl-C during a sweep.
struct SweepInterruptionTests {
  /// Hangs after a 404 with a process of its own; both hold a pipe open, and ignore signals.
  private static let client = """
    trap '' INT TERM HUP
    \(SweepCommandTests.curl) && exit 0
    exec 9> pipe
    sleep 600 & echo hangs >&9
    while :; do sleep 600; done
    """

  /// Starts a sweep, sends it a signal once its client hangs, and waits for the ends of all.
  private static let driver = """
    import os, select, signal, subprocess, sys
    # A shell starts what it runs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.mkfifo("pipe")
    sweep = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    pipe = open("pipe", "rb", buffering=0)
    assert pipe.readline() == b"hangs\\n"
    sweep.send_signal(int(sys.argv[1]))
    print(sweep.communicate()[0])
    # A pipe without a writer has an end, which can be read.
    is_closed = select.select([pipe], [], [], 60)[0] and pipe.read() == b""
    print("exit", sweep.returncode, "no process is left" if is_closed else "a process is left")
    """

  private static func interrupted(by signal: Int32) throws -> String {
    let python = try #require(PythonServer.path)
    return try withProject(Shop.files.merging(["client.sh": client]) { first, _ in first }) { folder in
      let sweep = [Command.path, "sweep", "shop.yaml", "--jobs", "1", "--limit", "10m", "--", "sh", "client.sh"]
      return try Command.run(python, ["-c", driver, "\(signal)"] + sweep, in: folder).output
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the client with its processes, and the table has what was done`(_ signal: Int32) throws {
    let output = try Self.interrupted(by: signal)
    #expect(output.hasPrefix("readPet\n  status 200 found  exit 0\n\n1 variant: 1 exit 0\n"), "\(output)")
    #expect(output.contains(/exit 4: incomplete: it was interrupted after 1 of [0-9]+ variants\n/), "\(output)")
    #expect(output.hasSuffix("exit 4 no process is left\n"), "\(output)")
  }

  @Test func `a sweep that is killed leaves no process of its client`() throws {
    let output = try Self.interrupted(by: SIGKILL)
    #expect(output.hasSuffix("exit -9 no process is left\n"), "\(output)")
  }
}
