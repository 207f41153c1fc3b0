import Testing
import UnderstudyReport

struct ExitMessageTests {
  private static func message(_ output: String) -> String {
    ExitMessage.find(in: output.split(whereSeparator: \.isNewline))
  }

  @Test(arguments: [
    ("starting\nno luck\n", "no luck"), ("", ""), ("only\n", "only"),
    // Python ends with the message.
    ("Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no number\n", "ValueError: no number"),
    ("a.swift:1: Fatal error: index out of range\n\n0 0x1 in main\n", "a.swift:1: Fatal error: index out of range"),
    ("panic: no answer\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:4 +0x18\nexit status 2\n", "panic: no answer"),
    (
      "file:///a.mjs:3\nthrow new Error()\n      ^\n\nError: no profile: 401\n    at a.mjs:3:22\n\nNode.js v20.20.2\n",
      "Error: no profile: 401"
    ),
    (
      "TypeError: fetch failed\n    at node:internal:1 {\n  [cause]: Error: other side closed\n      at b {\n    code: 1\n  }\n}\n"
        + "\nNode.js v20.20.2\n",
      "TypeError: fetch failed"
    ),
    (
      "Exception in thread \"main\" a.B: c\n\tat a.main(a.kt:3)\nCaused by: d.E: f\n\tat d.g(d.kt:7)\n\tat d.h(d.kt:9)\n",
      "Caused by: d.E: f"
    ),
    (
      "thread 'main' panicked at src/main.rs:2:5:\nno answer\nnote: run with `RUST_BACKTRACE=1` environment variable\n",
      "no answer"
    ),
    ("    at the end\n", "    at the end"),
  ]) func `the message stands before the stack that a runtime writes`(output: String, message: String) {
    #expect(Self.message(output) == message)
  }
}
