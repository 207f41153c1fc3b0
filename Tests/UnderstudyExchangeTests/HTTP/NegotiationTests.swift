import Testing
import UnderstudyMock

struct NegotiationTests {
  @Test(
    arguments: [
      ([], ["application/json", "text/html"], 0),
      ([""], ["application/json"], 0),
      (["rubbish"], ["application/json"], 0),
      (["text/html"], ["application/json", "text/html"], 1),
      (["text/html;q=0.5, application/json;q=0.4"], ["application/json", "text/html"], 1),
      (["text/html;q=0.5", "application/json"], ["text/html", "application/json"], 1),
      (["*/*;q=0.1, application/json;q=0"], ["application/json", "text/html"], 1),
      (["application/json;q=0"], ["application/json"], nil),
      (["application/xml"], ["application/json"], nil),
      (["application/json, text/plain, */*"], ["application/xml", "application/json"], 1),
      (["*/*"], ["application/xml", "application/json"], 0),
      (
        ["text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5"],
        ["text/plain", "text/html;level=2", "image/jpeg", "text/html"], 3
      ),
      (
        ["text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5"],
        ["text/html;level=3", "text/html;level=1"], 1
      ),
      (["application/json; charset=utf-8"], ["application/json"], 0),
      (["application/problem+json"], ["application/json"], nil),
      (["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"], ["application/json"], 0),
      (["image/png"], ["application/json", "image/*"], 1),
      (["application/json;q=high"], ["application/json"], 0),
      (["application/json;q=0.000"], ["application/json"], nil),
      (["APPLICATION/JSON;Q=0.2, text/html;q=0.1"], ["text/html", "application/json"], 1),
    ] as [([String], [String], Int?)])
  func `the answer is what the client likes best`(accept: [String], offers: [String], index: Int?) {
    #expect(Negotiation.choose(accept: accept, among: offers.compactMap { MediaRange($0) }) == index)
  }

  @Test func `nothing on offer is nothing chosen`() {
    #expect(Negotiation.choose(accept: [], among: []) == nil)
  }
}
