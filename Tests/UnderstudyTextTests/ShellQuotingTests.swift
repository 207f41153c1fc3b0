import Testing
import UnderstudyTestSupport
import UnderstudyText

struct ShellQuotingTests {
  @Test(arguments: ["plain", "", "two words", "O'Neil", "$HOME `id` \"\\", "a\nb", "~/x", "*", "한국", "-n", "!"])
  func `a shell reads the same word again`(_ text: String) throws {
    let result = try Command.run("/bin/sh", ["-c", "printf %s \(ShellQuoting().word("<\(text)>"))"])
    #expect(result.output == "<\(text)>")
  }

  @Test func `a variable keeps the text around it`() throws {
    let quoting = ShellQuoting(variables: [(spelling: "s3cr3t", name: "TOKEN"), (spelling: "", name: "NOTHING")])
    let word = quoting.word("a s3cr3t \"$x\" `id` \\ s3cr3t")
    #expect(!word.contains("s3cr3t"))
    #expect(try Command.run("/bin/sh", ["-c", "TOKEN=t; printf %s \(word)"]).output == "a t \"$x\" `id` \\ t")
  }
}
