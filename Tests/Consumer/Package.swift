// swift-tools-version: 6.2
import PackageDescription

/// A package outside of this one: it sees only what the products of Understudy make public.
let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "understudy", path: "../.."),
    .package(name: "neighbour", path: "Neighbour"),
  ],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "UnderstudySchema", package: "understudy"),
        .product(name: "UnderstudyMock", package: "understudy"),
        .product(name: "UnderstudyVerification", package: "understudy"),
        .product(name: "UnderstudyServer", package: "understudy"),
        .product(name: "Neighbour", package: "neighbour"),
      ]),
    .testTarget(
      name: "ConsumerTests",
      dependencies: [
        .product(name: "UnderstudyMock", package: "understudy"),
        .product(name: "UnderstudyTesting", package: "understudy"),
      ],
      resources: [.copy("Resources/pets.yaml")],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
  ]
)
