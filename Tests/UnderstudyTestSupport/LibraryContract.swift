extension MockContract {
  /// Users with posts: every action on a collection, for stateful mocks.
  package static let library = """
    openapi: 3.1.0
    info: {title: Library, version: "1"}
    paths:
      /users:
        get:
          operationId: listUsers
          parameters:
            - {name: role, in: query, schema: {type: string}}
            - {name: tags, in: query, schema: {type: array, items: {type: string}}}
            - {name: q, in: query, schema: {type: string}}
            - {name: sort, in: query, schema: {type: string}}
            - {name: page, in: query, schema: {type: integer, minimum: 1}}
            - {name: limit, in: query, schema: {type: integer, minimum: 1, default: 20}}
          responses:
            "200":
              description: Users.
              headers: {X-Total-Count: {schema: {type: integer}}}
              content:
                application/json:
                  schema:
                    type: object
                    required: [items, total]
                    properties:
                      items: {type: array, items: {$ref: "#/components/schemas/User"}}
                      total: {type: integer}
        post:
          operationId: createUser
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
          responses:
            "201":
              description: Made.
              content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
            "409": {description: The id is taken.}
      /users/{userId}:
        parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
        get:
          operationId: readUser
          responses:
            "200":
              description: The user.
              headers: {ETag: {schema: {type: string}}}
              content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
            "304": {description: Not changed.}
            "404": {description: Nobody.}
        put:
          operationId: replaceUser
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
          responses:
            "200":
              description: Changed.
              content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
            "201": {description: Made.}
            "412": {description: Changed meanwhile.}
        patch:
          operationId: updateUser
          requestBody:
            required: true
            content:
              application/merge-patch+json: {schema: {type: object}}
              application/json-patch+json: {schema: {type: array}}
          responses:
            "200":
              description: Changed.
              headers: {ETag: {schema: {type: string}}}
              content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
            "404": {description: Nobody.}
            "412": {description: Changed meanwhile.}
            "422": {description: Not possible.}
        delete:
          operationId: deleteUser
          responses:
            "204": {description: Gone.}
            "404": {description: Nobody.}
      /users/{userId}/posts:
        parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
        get:
          operationId: listPosts
          responses:
            "200":
              description: Posts.
              content:
                application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Post"}}}
            "404": {description: Nobody.}
        post:
          operationId: createPost
          requestBody:
            required: true
            content: {application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/Post"}}}
          responses:
            "201":
              description: Made.
              content: {application/json: {schema: {$ref: "#/components/schemas/Post"}}}
            "404": {description: Nobody.}
      /users/{userId}/posts/{number}:
        parameters:
          - {name: userId, in: path, required: true, schema: {type: string}}
          - {name: number, in: path, required: true, schema: {type: integer}}
        get:
          operationId: readPost
          responses:
            "200":
              description: The post.
              content: {application/json: {schema: {$ref: "#/components/schemas/Post"}}}
            "404": {description: None.}
      /search/{text}:
        get:
          operationId: search
          parameters: [{name: text, in: path, required: true, schema: {type: string}}]
          responses: {"204": {description: Nothing.}}
    components:
      schemas:
        User:
          type: object
          required: [name, createdAt]
          properties:
            id: {type: string}
            name: {type: string, minLength: 1}
            role: {type: string, enum: [admin, guest]}
            tags: {type: array, items: {type: string}}
            password: {type: string, writeOnly: true}
            createdAt: {type: string, format: date-time, readOnly: true}
            updatedAt: {type: string, format: date-time, readOnly: true}
            address:
              type: object
              properties: {city: {type: string}, zip: {type: string}}
        Post:
          type: object
          required: [number, userId, text]
          properties:
            number: {type: integer, minimum: 1, readOnly: true}
            userId: {type: string, readOnly: true}
            text: {type: string}

    """
}
