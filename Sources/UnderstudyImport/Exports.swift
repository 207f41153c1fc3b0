// Stubs hold documents and predicates of requests, so importing this module shows them too.
@_exported public import UnderstudyFixtures
