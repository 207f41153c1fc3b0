import Testing
import UnderstudyMock

/// Patterns and rests in the paths of routes files.
struct RoutePatternTests {
  private static func router(_ templates: [String]) -> Router {
    Router(
      templates.enumerated().map {
        RouterEntry(operationIndex: $0.offset, method: "GET", template: $0.element, isRoute: true)
      })
  }

  private static let templates = [
    "/users/{name}", "/users/{id:[0-9]+}", "/users/me", "/users/{id:[0-9]{3}}.json", "/static/*", "/static/list",
    "/files/{kind:img|css}/*", "/{any}/x",
  ]

  @Test(arguments: [
    ("/users/7", "/users/{id:[0-9]+} id=7"),
    ("/users/tom", "/users/{name} name=tom"),
    ("/users/7a", "/users/{name} name=7a"),
    ("/users/me", "/users/me"),
    ("/users/123.json", "/users/{id:[0-9]{3}}.json id=123"),
    ("/users/12.json", "/users/{name} name=12.json"),
    ("/users/%37", "/users/{id:[0-9]+} id=%37"),
    ("/static/a", "/static/* *=a"),
    ("/static/a/b.css", "/static/* *=a/b.css"),
    ("/static/list", "/static/list"),
    ("/static/list/more", "/static/* *=list/more"),
    ("/static/../../etc/passwd", "/static/* *=../../etc/passwd"),
    ("/static/", "404"),
    ("/static", "404"),
    ("/static/x", "/static/* *=x"),
    ("/other/x", "/{any}/x any=other"),
    ("/files/img/a/b", "/files/{kind:img|css}/* kind=img *=a/b"),
    ("/files/imgs/a", "404"),
  ])
  func `patterns come before variables, and a rest comes last`(target: String, outcome: String) {
    #expect(RouterTests.outcome(Self.router(Self.templates), Self.templates, "GET", target) == outcome)
  }

  @Test func `a path of OpenAPI has no patterns and no rest`() {
    let templates = ["/users/{id:[0-9]+}", "/static/*"]
    #expect(RouterTests.outcome(templates, "/users/tom") == "/users/{id:[0-9]+} id:[0-9]+=tom")
    #expect(RouterTests.outcome(templates, "/static/a") == "404")
  }

  @Test func `a pattern that takes too long matches nothing`() {
    let templates = ["/{id:(a+)+b\\1}"]
    #expect(
      RouterTests.outcome(Self.router(templates), templates, "GET", "/" + String(repeating: "a", count: 2_000)) == "404"
    )
  }

  @Test func `a lookup among 10,000 routes takes the steps of a lookup among ten`() {
    func templates(_ count: Int) -> [String] {
      (0..<count).map { $0.isMultiple(of: 2) ? "/resource\($0)" : "/resource\($0)/{id}/parts/{part:[0-9]+}" }
    }
    let (few, many) = (Self.router(templates(10)), Self.router(templates(10_000)))
    for path in ["/resource4", "/resource5/7/parts/3", "/resource5/7/parts/x", "/nothing"] {
      #expect(many.steps(to: path) == few.steps(to: path), "\(path)")
    }
    #expect(many.steps(to: "/resource5/7/parts/3") <= 8)
  }
}
