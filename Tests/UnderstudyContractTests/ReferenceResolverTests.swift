import Testing
import UnderstudyContract
import UnderstudyTestSupport

@Suite struct ReferenceResolverTests {
  /// Resolves the reference `text` as it stands in `folder/api.yaml`.
  private func resolve(
    _ text: String, _ files: [String: String], in path: String = "folder/api.yaml"
  ) throws
    -> Result<JSON, ReferenceFailure>
  {
    let store = DocumentStore.inMemory(files.merging(["holder": ""]) { first, _ in first })
    let resolver = ReferenceResolver(store: store)
    let document = try store.document(at: path).get()
    let holder = try #require(document.root["ref"], "\(text)")
    return resolver.resolve(holder)
  }

  private func text(_ reference: String, _ body: String, others: [String: String] = [:]) throws -> String? {
    let api = "ref: {$ref: \"\(reference)\"}\n" + body
    var files = others
    files["folder/api.yaml"] = api
    return try resolve(reference, files).get().string
  }

  @Test(arguments: [
    ("#/a", "a: found"),
    ("#/a/1", "a: [x, found]"),
    ("#/a~1b", "a/b: found"),
    ("#/a~0b", "a~b: found"),
    ("#/a~01b", "a~1b: found"),
    ("#/a%20b", "a b: found"),
    ("#/%7Bid%7D", "\"{id}\": found"),
    ("#/{id}", "\"{id}\": found"),
    ("#/%C3%A9", "é: found"),
    ("#/a%2Fb", "a: {b: found}"),
    ("#/a%7E1b", "a/b: found"),
    ("#/", "\"\": found"),
    ("#/b", "a: found\nb: {$ref: \"#/a\"}"),
    ("api.yaml#/a", "a: found"),
    ("./api.yaml#/a", "a: found"),
    ("../folder/api.yaml#/a", "a: found"),
  ])
  func `a pointer is read with its escapes`(_ reference: String, _ body: String) throws {
    #expect(try text(reference, body) == "found")
  }

  @Test(arguments: [
    ("b.yaml", "folder/b.yaml", "found"),
    ("b.yaml#", "folder/b.yaml", "found"),
    ("../c.yaml#/x", "c.yaml", "x: found"),
    ("sub/d.json#/x", "folder/sub/d.json", "{\"x\": \"found\"}"),
    ("my%20file.yaml#/x", "folder/my file.yaml", "x: found"),
    ("/abs/e.yaml#/x", "/abs/e.yaml", "x: found"),
    ("file:///abs/e.yaml#/x", "/abs/e.yaml", "x: found"),
  ])
  func `a file is sought from the file that names it`(_ reference: String, _ path: String, _ content: String) throws {
    #expect(try text(reference, "", others: [path: content]) == "found")
  }

  @Test func `a chain goes through files, each step from its own file`() throws {
    let found = try text(
      "sub/b.yaml#/x", "",
      others: ["folder/sub/b.yaml": "x: {$ref: ../../c.yaml#/y}", "c.yaml": "y: {$ref: \"#/z\"}\nz: found"])
    #expect(found == "found")
  }

  @Test(arguments: [
    ("#/a", "a: {$ref: \"#/ref\"}", "the reference `#/a` leads back to itself"),
    ("#/ref", "", "the reference `#/ref` leads back to itself"),
    ("#/pets", "pet: 1", "the reference `#/pets` leads nowhere: the document has no `pets`"),
    ("#/a/b", "a: {c: 1}", "the reference `#/a/b` leads nowhere: `/a` has no `b`"),
    ("#/a/01", "a: [1, 2]", "the reference `#/a/01` leads nowhere: `/a` has no `01`"),
    ("#/a/-1", "a: [1, 2]", "the reference `#/a/-1` leads nowhere: `/a` has no `-1`"),
    (
      "#/a~2", "",
      "the reference `#/a~2` cannot be read: `~` stands alone in its fragment: write `~0` for `~` and `~1` for `/`"
    ),
    ("#/%zz", "", "the reference `#/%zz` cannot be read: its fragment has invalid percent-encoding"),
    ("%zz.yaml", "", "the reference `%zz.yaml` cannot be read: its path has invalid percent-encoding"),
    ("#pet", "", "the reference `#pet` cannot be read: `#pet` is not a JSON pointer, and no `$anchor` has that name"),
    ("b.yaml", "", "the reference `b.yaml` needs `folder/b.yaml`: no such file"),
    (
      "https://example.com/a.yaml", "",
      "the reference `https://example.com/a.yaml` is on another machine, and fetching is off"
    ),
    ("//example.com/a.yaml", "", "the reference `//example.com/a.yaml` is on another machine, and fetching is off"),
  ])
  func `a broken reference is reported with the reason`(_ reference: String, _ body: String, _ message: String) throws {
    let api = "ref: {$ref: \"\(reference)\"}\n" + body
    let store = DocumentStore.inMemory(["folder/api.yaml": api])
    let holder = try #require(store.document(at: "folder/api.yaml").get().root["ref"])
    guard case .failure(let failure) = ReferenceResolver(store: store).resolve(holder) else {
      Issue.record("it was resolved")
      return
    }
    #expect(failure.diagnostic(at: try #require(holder.reference)).message == message)
  }

  @Test func `a slip of the hand gets a suggestion among the neighbours`() throws {
    let store = DocumentStore.inMemory([
      "a.yaml": "ref: {$ref: \"#/components/schemas/Pets\"}\ncomponents: {schemas: {Pet: {}}}"
    ])
    let holder = try #require(store.document(at: "a.yaml").get().root["ref"])
    guard case .failure(let failure) = ReferenceResolver(store: store).resolve(holder) else {
      Issue.record("it was resolved")
      return
    }
    #expect(failure.diagnostic(at: try #require(holder.reference)).help == "did you mean `Pet`?")
  }

  @Test func `a file that cannot be parsed is complained about at its own place`() throws {
    let store = DocumentStore.inMemory(["a.yaml": "ref: {$ref: \"b.json\"}", "b.json": "{\"a\": tru}"])
    let holder = try #require(store.document(at: "a.yaml").get().root["ref"])
    guard case .failure(let failure) = ReferenceResolver(store: store).resolve(holder) else {
      Issue.record("it was resolved")
      return
    }
    let diagnostic = failure.diagnostic(at: try #require(holder.reference))
    #expect(diagnostic.rule == .specUnparsable)
    #expect(diagnostic.location?.description == "b.json:1:7")
    #expect(diagnostic.notes.first?.location?.path == "a.yaml")
  }

  @Test func `anchors and ids are names within their resource`() throws {
    let store = DocumentStore.inMemory([
      "a.yaml": """
      byAnchor: {$ref: "#pet"}
      byId: {$ref: "https://example.com/schemas/toy"}
      inside:
        $id: https://example.com/schemas/toy
        $defs: {local: {title: local}, pet: {$anchor: pet, title: inner}}
        byPointer: {$ref: "#/$defs/local"}
        byAnchor: {$ref: "#pet"}
        bySibling: {$ref: "#/outer"}
        byRelativeId: {$ref: "toy#/$defs/local"}
      outer: {$anchor: pet, title: outer}
      """
    ])
    let root = try store.document(at: "a.yaml").get().root
    let resolver = ReferenceResolver(store: store)
    func title(_ value: JSON?) throws -> String? { try resolver.resolve(try #require(value)).get()["title"]?.string }
    #expect(try title(root["byAnchor"]) == "outer")
    #expect(try resolver.resolve(try #require(root["byId"])).get()["$id"] != nil)
    #expect(try title(root["inside"]?["byPointer"]) == "local")
    #expect(try title(root["inside"]?["byAnchor"]) == "inner")
    #expect(try title(root["inside"]?["byRelativeId"]) == "local")
    #expect(throws: ReferenceFailure.self) { try title(root["inside"]?["bySibling"]) }
  }

  @Test func `a 3.2 document may refer to itself by the name it gives itself`() throws {
    let store = DocumentStore.inMemory([
      "a.yaml": "openapi: 3.2.0\n$self: https://example.com/api\nref: {$ref: \"https://example.com/api#/x\"}\nx: found"
    ])
    let root = try store.document(at: "a.yaml").get().root
    #expect(try ReferenceResolver(store: store).resolve(try #require(root["ref"])).get().string == "found")
  }

  @Test func `many references into a large section are found by an index`() throws {
    let names = (0..<5_000).map { "prefix_\($0)_suffix_that_is_equal" }
    let text =
      "{\"s\": {\(names.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ","))}, \"r\": [\(names.map { "{\"$ref\": \"#/s/\($0)\"}" }.joined(separator: ","))]}"
    let store = DocumentStore.inMemory(["a.json": text])
    let resolver = ReferenceResolver(store: store)
    let references = try #require(store.document(at: "a.json").get().root["r"])
    let found = try references.elements.map { try resolver.resolve($0).get().text }
    #expect(found == names)
  }

  @Test func `a chain longer than anybody writes is refused, not walked`() throws {
    let links = (0..<2_000).map { "\"r\($0)\": {\"$ref\": \"#/r\(($0 + 1) % 2_000)\"}" }.joined(separator: ",")
    let store = DocumentStore.inMemory(["a.json": "{\(links)}"])
    let holder = try #require(store.document(at: "a.json").get().root["r0"])
    guard case .failure(.malformed(let reason)) = ReferenceResolver(store: store).resolve(holder) else {
      Issue.record("it was walked")
      return
    }
    #expect(reason == "it starts a chain of more than 100 references")
  }
}
