/// The replies of a routes file, from which its fixtures are read.
package struct RouteReplies: Sendable {
  /// The replies of each operation by its id, in the order of the file.
  package internal(set) var byOperation: [String: [RouteReply]] = [:]
  /// The folders of static files, which a watcher observes.
  package internal(set) var folders: [String] = []
}

/// One reply of a route: a fixture that a routes file holds.
package struct RouteReply: Sendable {
  /// The name that the reply would have as a fixture file: `200.route`, `200.empty.route`.
  package let fileName: String
  /// The value in the routes file.
  package let node: JSON
  package let content: Content

  package enum Content: Sendable {
    /// The node describes the reply: a string, a status, or the keys of a fixture description.
    case described
    /// A static file, and the values of `*` that request it.
    case file(String, targets: [String])
    /// A text for requests that no other reply of the route is for.
    case text(String)
  }

  /// The file extension in `fileName`, which no fixture file has.
  package static let fileExtension = "route"

  /// - Parameter name: A status, perhaps with the name of a variant: `200.empty`.
  init(_ name: String, _ node: JSON, _ content: Content = .described) {
    fileName = "\(name).\(Self.fileExtension)"
    self.node = node
    self.content = content
  }

  /// Whether every request to the route may get the reply.
  var isUnconditional: Bool {
    switch content {
    case .described: node["when"] == nil
    case .file: false
    case .text: true
    }
  }
}
