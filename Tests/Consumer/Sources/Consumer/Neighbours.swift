import CSQLite
import CZlib
import JSONSchema
import TestSupport
import UnderstudySchema

/// The modules of another package have common names, beside those of Understudy.
func callNeighbours() throws {
  let own: JSONSchema = makeSchema()
  let schema = try CompiledSchema("{}")
  print("draft \(own.draft)", neighbour_zlib_version() + neighbour_sqlite_version(), schema.accepts(.null))
}
