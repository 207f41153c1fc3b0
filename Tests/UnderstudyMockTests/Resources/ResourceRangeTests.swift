import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ResourceRangeTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Museum, version: "1"}
    paths:
      /events:
        get:
          operationId: listEvents
          parameters:
            - {name: minPrice, in: query, schema: {type: number}}
            - {name: maxPrice, in: query, schema: {type: number}}
            - {name: price_gt, in: query, schema: {type: number}}
            - {name: price_gte, in: query, schema: {type: number}}
            - {name: priceLT, in: query, schema: {type: number}}
            - {name: price-max, in: query, schema: {type: number}}
            - {name: startDate, in: query, schema: {type: string, format: date}}
            - {name: endDate, in: query, schema: {type: string, format: date}}
            - {name: createdAfter, in: query, schema: {type: string, format: date-time}}
            - {name: created_at_before, in: query, schema: {type: string, format: date-time}}
            - {name: createdFrom, in: query, schema: {type: string, format: date}}
            - {name: createdTo, in: query, schema: {type: string, format: date}}
            - {name: titleTo, in: query, schema: {type: string}}
            - {name: endIn, in: query, schema: {type: string, format: date}}
            - {name: after, in: query, schema: {type: integer}}
            - {name: min_id, in: query, schema: {type: integer}}
            - {name: minAge, in: query, schema: {type: integer}}
            - {name: limit, in: query, schema: {type: integer}}
          responses:
            "200":
              description: Events
              content:
                application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Event"}}}
        post:
          operationId: addEvent
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
          responses:
            "201": {description: Made, content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
      /events/{id}:
        get:
          operationId: readEvent
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
      /trips:
        get:
          operationId: listTrips
          parameters:
            - {name: startDate, in: query, schema: {type: string, format: date}}
            - {name: end_date, in: query, schema: {type: string, format: date-time}}
          responses:
            "200":
              description: Trips
              content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Trip"}}}}
        post:
          operationId: addTrip
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Trip"}}}}
          responses:
            "201": {description: Made, content: {application/json: {schema: {$ref: "#/components/schemas/Trip"}}}}
      /trips/{id}:
        get:
          operationId: readTrip
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Trip"}}}}
    components:
      schemas:
        Event:
          type: object
          properties:
            id: {type: integer}
            title: {type: string}
            price: {type: number}
            dates: {type: array, items: {type: string, format: date}}
            createdAt: {type: string, format: date-time}
            endIn: {type: string, format: date}
        Trip: {type: object, properties: {id: {type: integer}, day: {type: string, format: date}}}
    """

  private static let fixtures = [
    "listEvents/200.json": """
    [
      {"id": 1, "title": "a", "price": 5, "dates": ["2023-11-10", "2023-11-17"], "createdAt": "2023-01-01T00:00:00Z"},
      {"id": 2, "title": "b", "price": 10.5, "dates": ["2023-10-29", "2023-11-03"],
        "createdAt": "2023-01-01T01:00:00+02:00", "endIn": "2024-01-01"},
      {"id": 3, "title": "c", "price": 30, "createdAt": "2023-02-01T00:00:00Z"}
    ]
    """,
    "listTrips/200.json": #"[{"id": 1, "day": "2024-05-01"}, {"id": 2, "day": "2024-06-01"}]"#,
  ]

  private func ids(_ target: String) throws -> [Int] {
    try ContractFixture(Self.contract, fixtures: Self.fixtures).withMock(configure: { $0.isStateful = true }) { mock in
      #expect(mock.complaints == [] && mock.diagnostics.isEmpty)
      let reply = LaneClient(mock).send(target)
      #expect(reply.status == 200 && reply.reason.hasPrefix("resource"), "\(reply.text)")
      return try JSONParser.parse(reply.body).root.elements.compactMap { $0["id"]?.int }
    }
  }

  @Test(arguments: [
    ("", [1, 2, 3]), ("minPrice=10.5", [2, 3]), ("maxPrice=10.5", [1, 2]), ("minPrice=6&maxPrice=20", [2]),
    ("price_gt=10.5", [3]), ("price_gte=10.50", [2, 3]), ("priceLT=10.5", [1]), ("price-max=5", [1]),
    ("titleTo=b", [1, 2]), ("minPrice=6&limit=1", [2]),
  ]) func `a number is bounded by its value`(query: String, ids: [Int]) throws {
    #expect(try self.ids("/events?\(query)") == ids)
  }

  @Test(arguments: [
    ("startDate=2023-11-04", [1]), ("endDate=2023-11-03", [2]), ("startDate=2023-11-03&endDate=2023-11-03", [2]),
    // Each event has a date before and one after these.
    ("startDate=2023-11-04&endDate=2023-11-09", []),
    ("createdAfter=2022-12-31T23:00:00Z", [1, 3]), ("created_at_before=2023-01-01T00:00:00Z", [2]),
    ("createdFrom=2023-02-01", [3]), ("createdTo=2023-01-01", [1, 2]),
  ]) func `a date is bounded by its day or its moment`(query: String, ids: [Int]) throws {
    #expect(try self.ids("/events?\(query)") == ids)
  }

  @Test(arguments: [
    ("startDate=2024-05-02", [2]), ("end_date=2024-05-01T12:00:00Z", [1]), ("startDate=2024-05-01", [1, 2]),
  ]) func `the only date is bounded by a start and an end`(query: String, ids: [Int]) throws {
    #expect(try self.ids("/trips?\(query)") == ids)
  }

  @Test(arguments: [
    ("after=2", [1, 2, 3]), ("min_id=2", [1, 2, 3]), ("minAge=2", [1, 2, 3]), ("endIn=2024-01-01", [2]),
  ])
  func `a cursor bounds nothing, and the name of a member asks for its value`(query: String, ids: [Int]) throws {
    #expect(try self.ids("/events?\(query)") == ids)
  }
}
