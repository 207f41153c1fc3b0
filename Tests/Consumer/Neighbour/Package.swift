// swift-tools-version: 6.2
import PackageDescription

/// A package whose targets have common names: SwiftPM refuses two targets of one name in a build.
let package = Package(
  name: "neighbour",
  products: [.library(name: "Neighbour", targets: ["JSONSchema", "CZlib", "CSQLite", "TestSupport"])],
  targets: [
    .target(name: "JSONSchema"),
    .target(name: "CZlib"),
    .target(name: "CSQLite"),
    .target(name: "TestSupport", dependencies: ["JSONSchema"]),
  ]
)
