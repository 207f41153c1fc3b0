import JSONSchema

/// The schema of tests.
public func makeSchema() -> JSONSchema { JSONSchema(draft: 7) }
