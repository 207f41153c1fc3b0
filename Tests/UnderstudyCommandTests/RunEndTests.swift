import Foundation
import Testing
import UnderstudyTestSupport

/// Processes that `understudy run` leaves behind, however it ends.
@Suite(.waitsForProcesses)
struct RunEndTests {
  /// Has processes of its own, which hold a pipe open and ignore signals.
  private static let client = """
    trap '' INT TERM HUP
    exec 9> pipe
    sleep 600 & (sleep 600; :) & echo ready >&9
    """

  /// Starts a process with a session of its own, and prints its number.
  private static let daemon = """
    import os, time
    pipe, ready = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.write(ready, b"x")
        time.sleep(600)
    os.read(pipe, 1)
    print(child, file=open("pipe", "w"))
    """

  /// Starts `understudy run` in a session of its own, in the group of this program or in a terminal.
  private static let start = """
    import os, pty, select, signal, subprocess, sys
    os.mkfifo("pipe")
    place, command = sys.argv[1], sys.argv[2:]
    if place == "terminal":
        child, terminal = pty.fork()
        if child == 0: os.execv(command[0], command)
    else:
        child = subprocess.Popen(command, start_new_session=place == "session").pid
    pipe = open("pipe", "rb", buffering=0)
    line = pipe.readline().decode().strip()

    """

  /// A pipe without a writer has an end, which can be read.
  private static let end = """

    is_closed = select.select([pipe], [], [], 60)[0] and pipe.read() == b""
    print("no process is left" if is_closed else "a process is left")
    """

  private static func drive(
    _ driver: String, in place: String = "group", _ client: String, files: [String: String] = [:]
  ) throws -> Command.Result {
    let python = try #require(PythonServer.path)
    return try withProject(Shop.files.merging(files) { first, _ in first }) { folder in
      let run = [Command.path, "run", "shop.yaml", "--", "sh", "-c", client]
      return try Command.run(python, ["-c", start + driver, place] + run, in: folder)
    }
  }

  @Test(arguments: ["session", "group", "terminal"])
  func `run that is killed leaves no process of its command`(_ place: String) throws {
    let driver = "os.kill(child, signal.SIGKILL)\nprint(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))" + Self.end
    let result = try Self.drive(driver, in: place, Self.client + "\nsleep 600")
    #expect(result.output == "-9\nno process is left\n", "\(result)")
  }

  /// Kills `understudy run` as soon as its command, whose number it printed, has ended.
  private static let killAfterCommand = """
    while True:
        try: os.kill(int(line), 0)
        except ProcessLookupError: break
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    """ + end

  @Test func `run that is killed after its command has ended leaves no process of its job`() throws {
    // Without the mark of the run, the process is found by its group only.
    let client = "trap '' INT TERM HUP; exec 9> pipe; env -i sleep 600 & echo $$ >&9"
    let result = try Self.drive(Self.killAfterCommand, in: "session", client)
    #expect(result.output == "no process is left\n", "\(result)")
  }

  @Test func `run that is killed takes orphans of its job along, and leaves the rest of its pipeline`() throws {
    let client = "trap '' INT TERM HUP; exec 9> pipe; (sleep 600 &); echo ready >&9; sleep 600"
    // The other process of the pipeline reads until nothing holds the output of the command.
    let driver = """
      import os, select, signal, subprocess, sys
      os.mkfifo("pipe")
      job = 'set -m; "$@" 2>err | (sleep 0; cat >seen; echo whole >>seen) & jobs -p >leader; wait'
      pipeline = subprocess.Popen(["bash", "-c", job, "bash"] + sys.argv[1:])
      pipe = open("pipe", "rb", buffering=0)
      pipe.readline()
      os.kill(int(open("leader").read()), signal.SIGKILL)
      pipeline.wait(60)
      print(open("seen").read().strip())
      """
    let python = try #require(PythonServer.path)
    try withProject(Shop.files) { folder in
      let run = [Command.path, "run", "shop.yaml", "--", "sh", "-c", client]
      let result = try Command.run(python, ["-c", driver + Self.end] + run, in: folder)
      #expect(result.output == "whole\nno process is left\n", "\(result)")
    }
  }

  #if os(Linux)
  @Test func `run that is killed after its command has ended leaves no process outside a job either`() throws {
    let client = "trap '' INT TERM HUP; exec 9> pipe; sleep 600 & echo $$ >&9"
    let result = try Self.drive(Self.killAfterCommand, client)
    #expect(result.output == "no process is left\n", "\(result)")
  }

  @Test func `run that is killed leaves no orphan, and no child of one`() throws {
    let client = "trap '' INT TERM HUP; exec 9> pipe; (sh -c 'env -i sleep 600; :' &); echo ready >&9; sleep 600"
    let result = try Self.drive("os.kill(child, signal.SIGKILL)\nos.waitpid(child, 0)" + Self.end, client)
    #expect(result.output == "no process is left\n", "\(result)")
  }

  @Test func `a daemon outlives run that is killed`() throws {
    let driver = """
      import ctypes
      # Adopts the supervisor and the daemon.
      ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
      def parent(pid):
          try: return int(open(f"/proc/{pid}/stat").read().rpartition(") ")[2].split()[1])
          except OSError: return 0
      children = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent(pid) == child]
      names = {open(f"/proc/{pid}/comm").read().strip(): pid for pid in children}
      # A daemon whose parent runs is ended with it.
      while parent(line) not in (child, 0): pass
      os.kill(child, signal.SIGKILL)
      os.waitpid(child, 0)
      os.waitpid(names["run-supervisor"], 0)
      print("lives" if os.waitpid(int(line), os.WNOHANG) == (0, 0) else "ended")
      os.kill(int(line), signal.SIGKILL)
      """
    let python = try #require(PythonServer.path)
    let result = try Self.drive(driver, "\(python) daemon.py; sleep 600", files: ["daemon.py": Self.daemon])
    #expect(result.output == "lives\n", "\(result)")
  }

  @Test func `a process that outlives the command ends with it, and is named`() throws {
    let driver = "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))" + Self.end
    let result = try Self.drive(driver, Self.client + "\nexit 3")
    #expect(result.output == "3\nno process is left\n", "\(result)")
    #expect(
      result.error.contains(/remark: ended \d processes that outlived the command: (sleep, sh|sh, sleep)\n/),
      "\(result)")
  }

  @Test(arguments: 1...8)
  func `Ctrl-C ends the command, and run reports its status`(_ round: Int) throws {
    let driver = """
      os.write(terminal, b"\\x03")
      try:
          while os.read(terminal, 4096): pass
      except OSError: pass
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """
    let result = try Self.drive(driver, in: "terminal", "echo ready >pipe; exec sleep 600")
    #expect(result.output == "130\n", "round \(round): \(result)")
  }

  @Test func `a process that writes the last output of the command ends by itself`() throws {
    let driver = "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), open('seen').read().strip())"
    // The reader ends with its input, which the command holds open to its end.
    let result = try Self.drive(driver, "mkfifo out; cat <out >seen & echo ready >pipe; echo all >out")
    #expect(result.output == "0 all\n", "\(result)")
    #expect(!result.error.contains("remark:"), "\(result)")
  }

  @Test func `a daemon, which has a session of its own, outlives the command`() throws {
    let driver = """
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      os.kill(int(line), signal.SIGKILL)
      """
    let python = try #require(PythonServer.path)
    let result = try Self.drive(driver, "exec \(python) daemon.py", files: ["daemon.py": Self.daemon])
    #expect(result.output == "0\n", "\(result)")
    #expect(!result.error.contains("remark:"), "\(result)")
  }

  @Test func `the end of the supervisor changes nothing for the command`() throws {
    let driver = """
      def parent(pid):
          try: return int(open(f"/proc/{pid}/stat").read().rpartition(") ")[2].split()[1])
          except OSError: return 0
      children = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent(pid) == child]
      names = {open(f"/proc/{pid}/comm").read().strip(): pid for pid in children}
      os.kill(names["run-supervisor"], signal.SIGKILL)
      open("go", "w").close()
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """
    let client = "mkfifo go; echo ready > pipe; read line < go; exit 3"
    let result = try Self.drive(driver, client)
    #expect(result.output == "3\n", "\(result)")
  }
  #endif
}
