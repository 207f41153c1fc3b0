import Synchronization

/// A schema that is compiled when it is first asked: a large contract has thousands, a client meets a few.
final class LazySchema: Sendable {
  let node: JSON
  let direction: Direction
  let library: SchemaLibrary
  private let compiled = Mutex<Schema?>(nil)
  private let known = Mutex<SchemaTraits?>(nil)

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

  /// Which annotations stand anywhere in it.
  var traits: SchemaTraits {
    known.withLock { cached in
      if let cached { return cached }
      let traits = SchemaTraits(of: node, resolve: library.target(ofReference:))
      cached = traits
      return traits
    }
  }
}
