import Testing
import UnderstudyMock

struct FaultTopicTests {
  @Test func `each fault and each network is explained once`() {
    let ids = FaultTopic.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for kind in FaultKind.allCases { #expect(FaultTopic.named("fault.\(kind.rawValue)") != nil) }
    for profile in NetworkProfile.allCases { #expect(FaultTopic.named("fault.network.\(profile.rawValue)") != nil) }
  }

  @Test func `no id is that of a rule`() {
    #expect(Set(FaultTopic.all.map(\.id)).isDisjoint(with: Rule.all.map(\.id)))
  }

  @Test(arguments: FaultKind.allCases) func `an explanation shows how its fault is written`(kind: FaultKind) throws {
    let topic = try #require(FaultTopic.named("fault.\(kind.rawValue)"))
    #expect(topic.examples.contains { $0.hasPrefix(kind.rawValue) })
  }
}
