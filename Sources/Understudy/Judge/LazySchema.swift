import Synchronization

/// A schema that is compiled when it is first asked: a large contract has thousands, a client meets a few.
final class LazySchema: Sendable {
  private let node: JSON
  private let library: SchemaLibrary
  private let direction: Direction
  private let compiled = Mutex<Schema?>(nil)

  init(_ node: JSON, _ library: SchemaLibrary, _ direction: Direction) {
    self.node = node
    self.library = library
    self.direction = direction
  }

  var schema: Schema {
    compiled.withLock { cached in
      if let cached { return cached }
      let schema = library.schema(at: node, direction: direction)
      cached = schema
      return schema
    }
  }
}
