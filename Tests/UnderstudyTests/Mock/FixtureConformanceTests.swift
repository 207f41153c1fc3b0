import TestSupport
import Testing
import Understudy

/// The fixtures that come with the project obey their contracts, or break exactly what they say.
struct FixtureConformanceTests {
  @Test(arguments: ["slp", "petstore"]) func `a fixture breaks what it says and nothing else`(_ name: String) throws {
    let (loaded, diagnostics) = Contract.load(
      Project.path("specs/\(name).yaml"), fixtures: Project.path("fixtures"))
    let contract = try #require(loaded)
    #expect(diagnostics.map { "\($0.place) \($0.message)" } == [])
    let engine = MockEngine(contracts: [contract])
    var count = 0
    for plan in engine.plans {
      for variant in plan.cells.flatMap(\.fixtures) {
        let broken = Self.broken(variant, plan, contract)
        #expect(broken == variant.fixture.violates, "\(variant.fixture.label)")
        count += 1
      }
    }
    #expect(count == contract.fixtures.count)
    #expect(count == (name == "slp" ? 200 : 4))
  }

  /// The rules about status, media type and body that an answer breaks.
  private static func broken(_ variant: Cell.Variant, _ plan: OperationPlan, _ contract: Contract) -> [String] {
    let fixture = variant.fixture
    guard let response = plan.operation.response(for: fixture.status.code) else { return ["resp.status.undocumented"] }
    let body: [UInt8] =
      switch variant.content {
      case .prepared(let prepared): prepared.body
      case .template(let template, _):
        template.render(Filled(operation: plan.operation), now: "2022-12-06T11:02:15.120Z")
      }
    if body.isEmpty { return response.content.isEmpty ? [] : ["resp.body.missing"] }
    if response.content.isEmpty { return ["resp.body.unexpected"] }
    guard let type = variant.mediaType else { return ["resp.content-type.missing"] }
    let ranges = response.content.compactMap { MediaRange($0.range) }
    guard ranges.count == response.content.count, let index = MediaRange.mostSpecific(of: ranges, for: type) else {
      return ["resp.content-type.undocumented"]
    }
    guard let node = response.content[index].schema else { return [] }
    let schema = contract.schemas.schema(at: node, direction: .response)
    let value: JSON
    if type.syntax == .json {
      guard let document = try? JSONParser.parse(body) else { return ["resp.body.unparsable"] }
      value = document.root
    } else {
      value = .string(String(decoding: body, as: UTF8.self))
    }
    return schema.accepts(value) ? [] : ["resp.body.schema"]
  }

  /// A request that has every parameter and every field of the form.
  private struct Filled: RequestValues {
    let operation: Operation

    func values(_ part: RequestPart, _ name: String) -> [String] { ["something"] }

    func names(_ part: RequestPart) -> [String] {
      switch part {
      case .path, .query, .header: operation.parameters.filter { $0.location.rawValue == part.rawValue }.map(\.name)
      case .body: operation.requestBody?.content.first?.schema?["properties"]?.members.map(\.name) ?? []
      }
    }
  }
}
