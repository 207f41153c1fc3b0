/// What a collection answers: a status, and a value if it has one.
struct ResourceOutcome {
  var code: Int
  /// An item as the client gets it.
  var item: JSON?
  /// The items of a list, and the number of all.
  var items: [JSON]?
  var total = 0
  var headers: [(name: String, value: String)] = []
  /// For people: `created pets/3`.
  var reason: String
}
