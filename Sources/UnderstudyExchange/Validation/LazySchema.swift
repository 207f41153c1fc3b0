import Synchronization
import UnderstudySystem

/// A schema that is compiled on first use: a large contract has thousands, a client meets a few.
package final class LazySchema: Sendable {
  let node: JSON
  let direction: Direction
  let library: SchemaLibrary
  private let compiled = Lazy<Schema>()
  /// The raw value of `annotations`; -1 until they are known.
  private let known = Atomic<Int>(-1)

  package init(_ node: JSON, _ library: SchemaLibrary, _ direction: Direction) {
    (self.node, self.library, self.direction) = (node, library, direction)
  }

  package var schema: Schema { compiled.value { library.schema(at: node, direction: direction) } }

  var annotations: AnnotationSet {
    if let value = UInt8(exactly: known.load(ordering: .relaxed)) { return AnnotationSet(rawValue: value) }
    let annotations = library.annotations(in: node)
    known.store(Int(annotations.rawValue), ordering: .relaxed)
    return annotations
  }
}
