import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ScenarioOutlineTests {
  private func outline(_ scenario: String) throws -> ScenarioOutline {
    let mock = try ContractFixture(MockContract.notes, fixtures: ["_scenarios/door.yaml": scenario]).mock()
    return ScenarioOutline(try #require(mock.contracts[0].scenarios.first?.scenario))
  }

  private static let door = """
    summary: A door with a lock.
    checks: [retry-storm]
    sequence: {readNote: [404*2, {answer: 200, after: 5s}, loop]}
    machine:
      per: {header: user}
      states:
        shut:
          summary: Nobody gets in.
          after: {1h: open}
          on: {readNote: 404, writeNote: {when: {body: {key: right}}, answer: 204, to: open, set: {by: "{{var.me}}"}}}
        open:
          final: true
          never: [writeNote]
          expects: [readNote]
          on: {"*": {status: 4XX, advance: 90m}}
    """

  @Test func `the text has everything that the file has`() throws {
    #expect(
      try outline(Self.door).text == """
        door: A door with a lock.
          readNote: 404 x 2, after 5s 200, and so on
          machine, one for each header `user`
            shut (start): Nobody gets in.
              readNote: 404
              writeNote if body key: 204 -> open, sets by
              after 1h -> open
            open (final)
              readNote, writeNote: 4XX, 90m pass
              never: writeNote
              expects: readNote
          checks: retry-storm

        """)
  }

  @Test func `the diagram has every state, every move and every timer`() throws {
    #expect(
      try outline(Self.door).mermaid == """
        stateDiagram-v2
          s0: shut
          s1: open
          [*] --> s0
          s0 --> s1: writeNote 204
          s0 --> s1: after 1h
          s1 --> [*]

        """)
  }

  @Test func `names that Mermaid would read as syntax are written without it`() throws {
    let mermaid = try outline(
      "machine: {states: {\"a: b; c\": {on: {readNote: {answer: 200, to: \"end\"}}}, end: {final: true}}}"
    ).mermaid
    #expect(mermaid.contains("  s0: a b c\n  s1: end\n"), "\(mermaid)")
  }
}
