import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// The files of the DocC tutorial; those of its last step are the example, whose tests run.
struct TutorialTests {
  private static func file(_ name: String) throws -> String {
    try Project.text("Sources/UnderstudyTesting/UnderstudyTesting.docc/Resources/\(name)")
  }

  @Test(arguments: [
    ("01-HoursClient.swift", "Sources/HoursClient.swift"), ("01-hours.yaml", "specs/hours.yaml"),
    ("07-HoursClientTests.swift", "Tests/HoursClientTests.swift"),
  ])
  func `the files of the last step are the example`(resource: String, example: String) throws {
    #expect(try Self.file(resource) == Project.text("Examples/Hours/\(example)"))
  }

  @Test(arguments: [("01-Package.swift", "text"), ("01-hours.yaml", "yaml")])
  func `the half hour of docs/testing.md begins with the files of the tutorial`(file: String, kind: String) throws {
    #expect(try Project.text("docs/testing.md").contains("```\(kind)\n\(Self.file(file))```\n"))
  }

  @Test func `the XCTest recipe of docs/testing.md is a whole file of the example`() throws {
    let file = try Project.text("Examples/Hours/Tests/HoursClientXCTests.swift")
    #expect(try Project.text("docs/testing.md").contains("```swift\n\(file)```\n"))
  }

  @Test(arguments: ["02", "03", "05"]) func `a step is a beginning of the last one`(step: String) throws {
    let text = try Self.file("\(step)-HoursClientTests.swift").trimmingCharacters(in: ["}", "\n"])
    #expect(try Self.file("07-HoursClientTests.swift").hasPrefix(text))
  }

  @Test func `the failure of the fourth step has the message of the tutorial`() async throws {
    #expect(try Self.file("04-HoursClientTests.swift").contains(#"lane.reply(to: "readHuors", 404)"#))
    let found = try await failures(of: .understudy(Project.path("Examples/Hours/specs/hours.yaml"))) {
      try await Lane.current?.reply(to: "readHuors", 404)
      try send("/hours/sunday", fields: "")
    }
    let message = try #require(found.first?.split(separator: ": ", maxSplits: 1).last)
    #expect(message == "no operation is called `readHuors`\n  help: did you mean `readHours`?")
    let tutorial = try Project.text("Sources/UnderstudyTesting/UnderstudyTesting.docc/Tutorials/TestAClient.tutorial")
    #expect(tutorial.contains("no operation is called `readHuors`, did you mean `readHours`?"))
  }
}
