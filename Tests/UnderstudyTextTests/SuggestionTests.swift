import Testing
import UnderstudyText

struct SuggestionTests {
  @Test(arguments: [("readChta", "readChat"), ("Readchat", "readChat"), ("limt", "limit")])
  func `a typing error gets the similar name`(_ name: String, _ meant: String) {
    #expect(Suggestion.nearest(to: name, among: ["sendChat", meant]) == meant)
  }

  @Test func `a name that is too different gets no suggestion`() {
    #expect(Suggestion.nearest(to: "joinQueue", among: ["readChat", "leaveIt"]) == nil)
    #expect(Suggestion.nearest(to: "a", among: ["b"]) == nil)
  }

  @Test(
    arguments: [
      ("500", nil), ("400", nil), ("5XX", nil), ("500.slow", nil), ("201", "200"), ("20", "200"),
      ("204", "200"), ("270.slow", "200.slow"),
    ] as [(String, String?)])
  func `a status is never suggested for one of another class`(_ status: String, _ meant: String?) {
    #expect(Suggestion.nearest(to: status, among: ["200", "200.slow"]) == meant)
  }
}
