import Testing
import UnderstudyMock

struct RouteSuggestionTests {
  static let templates = [
    "/user", "/user/{id}/toys", "/queue/onqueue", "/chat/{to}", "/pets/{petId}", "/pets/{petId}/toys", "/shop/",
  ]

  static func miss(_ target: String, basePaths: [String] = ["/v1"]) -> RouteSuggestion? {
    let entries = templates.enumerated().map {
      RouterEntry(operationIndex: $0.offset, method: "GET", template: $0.element, basePaths: basePaths)
    }
    guard case .notFound(let miss) = Router(entries).route("GET", target) else { return nil }
    return miss
  }

  @Test(arguments: [
    ("/v1//user", RouteSuggestion.Reason.doubleSlash, "did you mean `/v1/user`? there is a double slash after `/v1`"),
    ("//v1/user", .doubleSlash, "did you mean `/v1/user`? there is a double slash at the start"),
    ("/v1/user/", .trailingSlash, "did you mean `/v1/user`? the contract's path has no slash at its end"),
    ("/v1/shop", .missingTrailingSlash, "did you mean `/v1/shop/`? the contract's path has a slash at its end"),
    ("/user", .missingBasePath, "did you mean `/v1/user`? the base path `/v1` is missing"),
    ("/v2/user", .wrongBasePath, "did you mean `/v1/user`? the contract's base path is `/v1`, not `/v2`"),
    ("/v1/User", .wrongCase, "did you mean `/v1/user`? paths are case-sensitive"),
    ("/v1/Chat/7", .wrongCase, "did you mean `/v1/chat/7`? paths are case-sensitive"),
    ("/v1/queue/onQueue", .wrongCase, "did you mean `/v1/queue/onqueue`? paths are case-sensitive"),
    ("/v1/queue/on_Queue", .misspelt, "did you mean `/v1/queue/onqueue`?"),
    ("/v1/queue/onqeue", .misspelt, "did you mean `/v1/queue/onqueue`?"),
    ("/v1/queue", .misspelt, "the nearest path is `/v1/queue/onqueue`"),
    (
      "/v1/queue/onqueue%3Fa=1", .encodedQuery,
      "did you mean `/v1/queue/onqueue?a=1`? the question mark is encoded as %3F, so the query is part of the path"
    ),
    ("/v1/pets/", .emptyValue, "`/pets/{petId}` needs a value for `petId`, and its segment is empty"),
    ("/v1/pets//toys", .emptyValue, "`/pets/{petId}/toys` needs a value for `petId`, and its segment is empty"),
    ("/elsewhere/entirely/so", .unknown, "no path of the contract is similar; `understudy routes` lists them"),
    ("/favicon.ico", .unknown, "no path of the contract is similar; `understudy routes` lists them"),
  ])
  func `a miss suggests the path that was probably meant`(
    target: String, reason: RouteSuggestion.Reason, sentence: String
  ) throws {
    let miss = try #require(Self.miss(target))
    #expect(miss.sentence == sentence)
    #expect(miss.reason == reason)
  }

  @Test func `a missing base path is named`() {
    #expect(
      Self.miss("/v1/user", basePaths: [])?.sentence
        == "did you mean `/user`? the contract's base path is `/`, not `/v1`")
  }

  @Test func `hostile paths cost little`() {
    #expect(Self.miss(String(repeating: "/", count: 100_000))?.reason == .unknown)
    #expect(Self.miss(String(repeating: "/a", count: 1_000))?.reason == .unknown)
    #expect(Self.miss("/v1/" + String(repeating: "%", count: 1_000))?.reason == .unknown)
  }
}
