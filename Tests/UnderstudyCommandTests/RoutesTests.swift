import Testing
import UnderstudyTestSupport

struct RoutesTests {
  static let files = Shop.files.merging(
    ["fixtures/shop/readPet/404.txt": "gone", "fixtures/shop/readPet/404.never.txt": "never was"]
  ) { first, _ in first }

  @Test func `cells are listed with their answers`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("routes", "shop.yaml", in: folder)
      #expect(
        result.output == """
          Shop (shop, 1 operation, 2 cells, fixtures in fixtures/shop/<operation>)

          GET    /pets/{id}  readPet
            200     found      example + cat
            404     noSuchPet  404.txt + never

          """)
      #expect(result.error == "")
      #expect(result.code == 0)
    }
  }

  @Test func `scripts get a document with a version`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("routes", "shop.yaml", "--format", "json", in: folder)
      #expect(
        result.output == """
          {
            "format": 1,
            "contracts": [
              {
                "name": "shop",
                "title": "Shop",
                "version": "1",
                "specification": "3.1",
                "operations": [
                  {
                    "id": "readPet",
                    "method": "GET",
                    "path": "/pets/{id}",
                    "basePaths": [
                      ""
                    ],
                    "deprecated": false,
                    "folder": "shop/readPet",
                    "cells": [
                      {
                        "status": "200",
                        "meaning": "found",
                        "documented": true,
                        "mediaTypes": [
                          "application/json"
                        ],
                        "answer": "example",
                        "fixture": null,
                        "names": [
                          "cat"
                        ]
                      },
                      {
                        "status": "404",
                        "meaning": "noSuchPet",
                        "documented": true,
                        "mediaTypes": [],
                        "answer": "fixture",
                        "fixture": "404.txt",
                        "names": [
                          "never"
                        ]
                      }
                    ]
                  }
                ],
                "events": []
              }
            ]
          }

          """)
      #expect(result.error == "")
      #expect(result.code == 0)
    }
  }

  @Test func `the contracts of the config file are listed if none is named`() throws {
    let config = "contracts: [api/shop.yaml]\nfixtures: answers\n"
    let files = [
      "understudy.yaml": config, "api/shop.yaml": Shop.contract, "answers/shop/readPet/200.json": "{}", "deep/a": "",
    ]
    try withProject(files) { folder in
      for place in ["", "/deep"] {
        let result = try Command.run("routes", in: folder + place)
        #expect(result.output.contains("200.json"))
        #expect(result.code == 0)
      }
    }
  }

  @Test func `an invalid contract is reported with its place`() throws {
    try withProject(["shop.yaml": "openapi: 3.1.0\ninfo: {title: Shop\npaths: {}\n"]) { folder in
      let result = try Command.run("routes", "shop.yaml", in: folder)
      #expect(result.output == "")
      #expect(result.error.hasPrefix("shop.yaml:"))
      #expect(result.error.contains("[spec.unparsable]"))
      #expect(
        result.error.hasSuffix(
          """
          error: shop.yaml cannot be used
            help: `understudy lint shop.yaml` checks it again

          """))
      #expect(result.code == 3)
    }
  }

  @Test func `an invalid fixture is reported, and the rest is listed`() throws {
    let files = Self.files.merging(["fixtures/shop/readPet/200.yaml": "boddy: {}\n"]) { first, _ in first }
    try withProject(files) { folder in
      let result = try Command.run("routes", "shop.yaml", in: folder)
      #expect(
        result.error == """
          fixtures/shop/readPet/200.yaml:1:1: error: unknown key `boddy` [fixture.unknown-key]
            1 | boddy: {}
              | ^^^^^
            help: did you mean `body`?

          """)
      #expect(result.output.contains("404.txt"))
      #expect(result.code == 0)
    }
  }
}
