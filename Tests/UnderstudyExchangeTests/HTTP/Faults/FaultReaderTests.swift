import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FaultReaderTests {
  @Test(arguments: [
    ("close", Fault.close), ("reset", .reset), ("reset:start", .reset), ("reset:head", .reset(at: .head)),
    ("reset:after-head", .reset(at: .afterHead)), ("close:body", .truncate), ("truncate", .truncate),
    ("hang:end", .hang(at: .end)), ("garbage", .garbage), ("bad-chunk", .malformedChunk), ("html", .html),
    ("wrong-length", .wrongLength(by: 1)), ("wrong-length:-3", .wrongLength(by: -3)), ("invalid-utf8", .invalidUTF8),
    ("duplicate-headers", .duplicateHeaders), ("conflicting-headers", .conflictingHeaders), ("drip", .drip),
    ("drip:10s", .drip(over: .seconds(10))), ("bandwidth:500", .bandwidth(500)), ("bandwidth:64k", .bandwidth(64_000)),
    ("bandwidth:2M", .bandwidth(2_000_000)), ("stall:1.5s", .stall(.milliseconds(1500))),
    ("html+drip", .html.and(.drip)), ("drip+reset:body", .reset(at: .body).and(.drip)),
  ])
  func `a fault is read by its name`(text: String, fault: Fault) throws {
    let plan = try FaultReader.read(text)
    #expect(plan.fault == fault)
    #expect(plan.latency == nil)
    #expect(plan.conditions == [])
  }

  @Test(arguments: FaultTopic.all.filter { !$0.id.hasPrefix("fault.sockets.") }.flatMap(\.examples))
  func `a fault is written as it is read`(text: String) throws {
    let plan = try FaultReader.read(text)
    if let fault = plan.fault { #expect(try FaultReader.read(fault.description).fault == fault) }
    #expect(plan.text == text)
  }

  @Test func `a delay and conditions stand beside a fault`() throws {
    let plan = try FaultReader.read("delay:100ms..2s+reset@20%@10s..30s/60s")
    #expect(plan.latency == .uniform(.milliseconds(100)...(.seconds(2))))
    #expect(plan.fault == .reset)
    #expect(plan.conditions == [.chance(0.2), .window(.seconds(10)..<(.seconds(30)), every: .seconds(60))])
  }

  @Test(arguments: [
    ("reset@first:2", FaultCondition.first(2)), ("reset@after:3", .after(3)),
    ("reset@flap:3:2", .flap(good: 3, bad: 2)),
    ("reset@0.5%", .chance(0.005)), ("reset@0ms..1m", .window(.zero..<(.seconds(60)), every: nil)),
  ])
  func `a condition is read`(text: String, condition: FaultCondition) throws {
    #expect(try FaultReader.read(text).conditions == [condition])
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    /// The arrow stands before the mistake.
    var text: String
    var message: String
    var help: String?
    var testDescription: String { text }
  }

  static let mistakes = [
    Mistake(text: "↓rest", message: "`rest` is not a fault", help: "did you mean `reset`?"),
    Mistake(text: "↓", message: "`` is not a fault"),
    Mistake(
      text: "↓missed", message: "`missed` is not a fault",
      help: "it is a fault of sockets: `sockets=missed`, or `sockets/EVENT=missed` for one event"),
    Mistake(text: "drip+↓rest", message: "`rest` is not a fault"),
    Mistake(
      text: "↓reset:haed", message: "`reset:haed` is not a form of the fault `reset`", help: "did you mean `head`?"),
    Mistake(text: "↓truncate:2", message: "`truncate:2` is not a form of the fault `truncate`"),
    Mistake(text: "↓bandwidth", message: "`bandwidth` is not a form of the fault `bandwidth`"),
    Mistake(text: "↓bandwidth:0", message: "`bandwidth:0` is not a form of the fault `bandwidth`"),
    Mistake(text: "↓bandwidth:1G", message: "`bandwidth:1G` is not a form of the fault `bandwidth`"),
    Mistake(text: "↓wrong-length:0", message: "`wrong-length:0` is not a form of the fault `wrong-length`"),
    Mistake(text: "↓stall:0s", message: "`stall:0s` is not a form of the fault `stall`"),
    Mistake(text: "reset+↓html", message: "`html` and `reset` exclude each other", help: "keep one of them"),
    Mistake(text: "delay:↓soon", message: "`soon` is not a delay"),
    Mistake(text: "delay:↓2s..1s", message: "`2s..1s` is not a delay"),
    Mistake(text: "delay:↓lognormal:1s:9", message: "`lognormal:1s:9` is not a delay"),
    Mistake(text: "delay:1s+↓delay:2s", message: "there is a delay already"),
    Mistake(text: "reset@↓120%", message: "`@120%` is not a condition"),
    Mistake(text: "reset@20%@↓frist:2", message: "`@frist:2` is not a condition", help: "did you mean `first`?"),
    Mistake(text: "close@↓head", message: "`@head` is not a condition", help: "did you mean `:head`?"),
    Mistake(text: "reset@↓flap:3", message: "`@flap:3` is not a condition"),
    Mistake(text: "reset@↓30s..10s", message: "`@30s..10s` is not a condition"),
    Mistake(text: "reset@↓10s..30s/20s", message: "`@10s..30s/20s` is not a condition"),
    Mistake(text: "reset@↓", message: "`@` is not a condition"),
  ]

  @Test(arguments: mistakes) func `a mistake is reported at its place`(_ mistake: Mistake) throws {
    let marked = MarkedText(mistake.text)
    let problem = #expect(throws: TextProblem.self) { try FaultReader.read(marked.text) }
    #expect(problem?.message == mistake.message)
    #expect([problem?.range.lowerBound] == marked.offsets.map(Optional.some))
    if let help = mistake.help { #expect(problem?.help == help) }
  }
}
