import Synchronization
import Testing
import UnderstudyContract
import UnderstudySchema
import UnderstudyTestSupport

@Suite struct DocumentStoreTests {
  @Test func `a document is loaded once`() throws {
    let loads = Mutex(0)
    let store = DocumentStore { path in
      loads.withLock { $0 += 1 }
      return DocumentStore.parse("a: 1", path: path)
    }
    let first = try store.document(at: "a.yaml").get()
    let second = try store.document(at: "a.yaml").get()
    #expect(first === second)
    #expect(loads.withLock { $0 } == 1)
  }

  @Test func `files are remembered for a watcher, broken and missing ones too`() {
    let store = DocumentStore.inMemory(["a.yaml": "a: 1", "b.json": "{"])
    for path in ["a.yaml", "b.json", "c.yaml"] { _ = store.document(at: path) }
    #expect(store.files.map(\.path) == ["a.yaml", "b.json"])
    #expect(store.missing == ["c.yaml"])
    #expect(store.documents.count == 1)
  }

  @Test func `another machine is only asked when that is allowed`() throws {
    let url = "https://example.com/a.yaml"
    guard case .failure(.refused) = DocumentStore.inMemory([:]).document(at: url) else {
      Issue.record("it was not refused")
      return
    }
    let open = DocumentStore.inMemory([:], fetch: { DocumentStore.parse("a: 1", path: $0) })
    #expect(try open.document(at: url).get().root["a"] == 1)
  }

  @Test func `a remote document refers to its neighbours by URL`() throws {
    let store = DocumentStore.inMemory(
      [:],
      fetch: { path in
        path == "https://example.com/x/b.yaml"
          ? DocumentStore.parse("found", path: path) : DocumentStore.parse("r: {$ref: x/b.yaml}", path: path)
      })
    let holder = try #require(store.document(at: "https://example.com/a.yaml").get().root["r"])
    #expect(try ReferenceResolver(store: store).resolve(holder).get().string == "found")
  }

  @Test func `the number of documents and their bytes are bounded`() {
    var limits = DocumentStore.Limits()
    limits.documents = 1
    let few = DocumentStore.inMemory(["a": "1", "b": "2"], limits: limits)
    _ = few.document(at: "a")
    guard case .failure(.limit("1 documents")) = few.document(at: "b") else {
      Issue.record("no limit")
      return
    }
    limits = DocumentStore.Limits()
    limits.bytes = 3
    let small = DocumentStore.inMemory(["a": "123", "b": "2"], limits: limits)
    _ = small.document(at: "a")
    guard case .failure(.limit("3 bytes in all documents")) = small.document(at: "b") else {
      Issue.record("no limit")
      return
    }
  }

  @Test func `the parts of a contract in other files are read in its default dialect`() throws {
    let store = DocumentStore.inMemory([
      "api.yaml": """
      openapi: 3.1.0
      jsonSchemaDialect: http://json-schema.org/draft-07/schema#
      info: {title: a, version: '1'}
      paths: {/a: {get: {responses: {default: {$ref: 'parts.yaml#/Fine'}}}}}
      """,
      "parts.yaml": "Fine: {description: a, content: {application/json: {schema: {items: [{type: string}]}}}}",
    ])
    let api = try #require(OpenAPIReader.read("api.yaml", from: store).api)
    let part = try store.document(at: "parts.yaml").get().root
    let node = try #require(part["Fine"]?["content"]?["application/json"]?["schema"])
    let schema = SchemaLibrary(of: api, store).schema(at: node)
    #expect(schema.accepts(["x"]))
    #expect(!schema.accepts([1]))
  }
}
