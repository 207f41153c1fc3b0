/// A contract with a collection and an operation that depends on no state, for tests of stored lanes.
package enum NotesContract {
  package static let text = """
    openapi: 3.1.0
    info: {title: Notes, version: "1"}
    paths:
      /notes:
        get:
          operationId: listNotes
          responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}}
        post:
          operationId: addNote
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
          responses: {"201": {description: added, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
      /notes/{id}:
        get:
          operationId: readNote
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}, "404": {description: none}}
      /status:
        get:
          operationId: readStatus
          responses: {"200": {description: up}, "503": {description: down}}
    components:
      schemas:
        Note: {type: object, required: [text], properties: {id: {type: integer}, text: {type: string}}}
    """
}
