/// One token by each algorithm, `{"sub":"1"}`, made with `openssl dgst -sign` and `openssl pkeyutl -sign`. BoringSSL accepts each
/// of them as well.
enum SignedTokens {
  struct Vector: Sendable, CustomStringConvertible {
    var algorithm: String
    /// The public key; empty where there is a secret.
    var pem: String
    var token: String

    var description: String { algorithm }

    /// The signature under another text, `{"sub":"2"}`.
    var forged: String { token.replacing("eyJzdWIiOiIxIn0", with: "eyJzdWIiOiIyIn0") }

    /// What stands behind `key:`.
    var key: String {
      pem.isEmpty
        ? "{algorithm: \(algorithm), secret: not-so-secret}" : "{algorithm: \(algorithm), pem: public.pem}"
    }
  }

  static let all = [
    Vector(
      algorithm: "HS256", pem: "",
      token: """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.J6xjZREov7gSb6nkca0Eop78B3sor3fUo86p1r72lrI
        """),
    Vector(
      algorithm: "HS384", pem: "",
      token: """
        eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.qADEUrErp7nTqTpevbqPODAnBL14Fgzgo-6Q2qffSlDgdQd\
        NFQdU3820cszMi4co
        """),
    Vector(
      algorithm: "HS512", pem: "",
      token: """
        eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.uyL9MVEd57gqSPvc3SRgGybZx2q_FyRAUlhILYXHQmrcVIS\
        9-Ml1LP6wbTWvFfhAGs48vAoSYM9kZwEgIvbbLA
        """),
    Vector(
      algorithm: "RS256", pem: rsa,
      token: """
        eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.htFU6xhsJnYyjn9dSgaPaqVL4hIyF_mUBmTq1kaOZhIvbKj\
        uI8YmlmvpAOf6cZ1VmlQttHRU0DiKweqCnxqhAbNszX19K2dQk8Bfu0fxabTktc4wxeVxIjHjUwiVklRYyo2bttcKARZ48JqvQbF\
        Dc0SPu0LbuFiha_dD0Cg-fuHekdH3VW9ow5D-dX1f1JlYF9tGfqToQN-i_q1eXKDLj0BUjUtpYxGGUXZuapthEz9sbSLUKFmrYMT\
        KdLS3DzfPlxw5vpytCtP7W5TFSowYo4oER-xPd1GnB4xi8Raz-plo58iUZkXlkBsGZtF7y0ElWYCn_0k1m_ktldY9kXjstQ
        """),
    Vector(
      algorithm: "RS384", pem: rsa,
      token: """
        eyJhbGciOiJSUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.hvKCy2lrOie8h1G4GN8ndpaSEmDqerS89cpwQ-1vZiFDzQj\
        MzfgSxKFkamQAM2QrxsiztBe4p6lQ2l7DYer5-xFJ1ocHGIpI4NWLyaBPtWVVZGV7bo_dPIIj7lq_rZbp15HH212UAZtgNWChgYr\
        2XSUrh3tezvp_mztGuBvWlaZsEU4jJJAVeoZ4nk9BZq6TbYEeVrVm97kqSm4g1Ouv5NrAnEg4K38NZwUH_4AgfT_GMMqQXlcnHv3\
        K1CdakE7E49H0bhONy8L1uShdpjoZ6RASqQr_GTcJTbpQBkC1EHZMTMav5fle0xpkrpkZi2_fMnBwfM_ZfIi--IZ9YiSlzw
        """),
    Vector(
      algorithm: "RS512", pem: rsa,
      token: """
        eyJhbGciOiJSUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.NlVFa_EhxGrfXpd1blDBpVI-Ap846gfTqFYtsaalI6zc_f3\
        y-s9K3qAYx2qGZvEc19K1HQiSgP5PVh7Dvm86PgmApnjv7g8eYouwBYcYrGY3OPkb-WT0fWlVTvZ0XJLMuraJZKhEuv2j6CFjJdA\
        0jzICBRu7u-MqIluMJ8j-1m4X6DqIsiLNGHsdEor2mzhl_blntcRnSaj6U4VMMeeyUI4Ugm7m5NvdLPJrf5WxYpIVMDEKJKKD3DV\
        WejwBDE6Yg06PTWr4GKQZsH76oSTwpiyUnqkv0TyOhd6s3YFmEJa65cA675T01jZOcEonJ9oNK5ZpPfZStpKoz0qnC7k-7g
        """),
    Vector(
      algorithm: "PS256", pem: rsa,
      token: """
        eyJhbGciOiJQUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.MyBdLnYuOgDpHEbsFFmY4VLWMKL6QkK36_XnqIjId4qt-qS\
        fTD6YOV1CqNH7pFYeEU41LHwByOlkILSwMocwolBHMDunSdN6AwUpxzfVZxXjTSnh27xg5cv38j4ORpcsRnzR-h6F62LJE5HoA4Y\
        24xRIOTDNfbTglLr9KAVy8t7Hol2mZQeBeny4J8rqaCum1RxIOBC0P9ZDWeB4GvztqGl9KB5woSVfcAdB1igVk68Kb8UjRsTDdYM\
        VZVM1SvcrIi-xBPOb7pU-diacSZLMYlZb2WcHRJS2SeOx1FC41pZ2HEi_LmId70L340jE4wQqETdJM2gzAvD32Na_XEmEEA
        """),
    Vector(
      algorithm: "PS384", pem: rsa,
      token: """
        eyJhbGciOiJQUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.FqmRSMrn2knLo0u8FjJICbzAGxgNUIKyyCoPJTlrPvY1kxh\
        gJ5yrblXhM1-X_5x5uw1X49d7N2piM0z638SW4-1Uk4L28hFN2ppExlCkyrwLu-GTuLZwOwCuXjVkSafNjsK-qPmuUAirA8X8NLt\
        m6mNCq1QBNjNy8Dvnj9dGCDAIKU8nKz_ij4xT8JzwqAocZxm8_BqQfnejRqjLsV_qkHTPCkhiWjZECVbYer4wN8uVitgyleeBRZ9\
        _-2_u75yzOkwAg6j-Ybg7UjgRZEOeHX9erGIyPO_zdSumF2PQ9-oYgXy__pt6xJpUEpzadG17inCXkmk3S_8kcOmtSlR50g
        """),
    Vector(
      algorithm: "PS512", pem: rsa,
      token: """
        eyJhbGciOiJQUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.Evl8YBZbu2SKLGu9W8KWL082qJmYXT4IV0TOoyKp23XCKAX\
        8Ep3DWWxSOX13nZSIdCcSNQjs5C5Jh9VTBnYyJATAaS6SwMaIbe28Tpc3sZsAFQuhuZXj2wAUWsyIHrbd7EkcVxYftyMgUXjzb6E\
        d-C7tHzBhChXzZGytIVKLOrHiTFLmrJWA47ggWRX90B9TIo5eqZtdU4wm9zCnT1Qq5d6UWJcRsQWCCLOMecq4XQ63yHyc7qeCqPJ\
        u5ji-HIl96ldCLibcpW6Cd-ILej4ZJfvFU5XtDLO70pWgFv6mhJsRln6If4mJbzAyXvqQQv8vd2eBRJPS1MWfGdDznFW9DQ
        """),
    Vector(
      algorithm: "ES256", pem: p256,
      token: """
        eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.tUUvDpxQu0eAK1PTfHIysHdYs2aYXMtBnII0dGSVgojuiqm\
        MEDz94-ZscpFlnXtcPP08bwWKOBzX3_ufA-KYdw
        """),
    Vector(
      algorithm: "ES384", pem: p384,
      token: """
        eyJhbGciOiJFUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.0iX1zimnZxL1vPr_Kpz2b9r3cAu_WYLOyHZDqiWeUDvAJR7\
        opnHe-E90OAcawgGgfagsTZ5W35dFRIdzYNIaFv9QBbJVDUfroL0lQweZwjf1O8p2PpOz4RZnkmWiUsA-
        """),
    Vector(
      algorithm: "ES512", pem: p521,
      token: """
        eyJhbGciOiJFUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.AOyMjS3bOS362X9oLf8W6BGVVUM55O8ZtJOYkg_EMYTbSrQ\
        uyavzgK8YqiruBnmCR8f0ziMnGNuV6W0TTYyuzGn_ARvnpdTKPNANvG9fMXu-97RnOPb0a-8tqgWfxvYwmSBRf1aomxk7b6_3Iyt\
        PRZhTHHtJDYrIaBUPkHXOoQbeBuHE
        """),
    Vector(
      algorithm: "EdDSA", pem: ed25519,
      token: """
        eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.2fIU8LafBL_VHAgfNQoRK0RPflWWhNio0Lg9tLmMlE4htr1\
        Tzv16_E_srl_BZfbw1mLPVzn0xtq58yfJXnWZBw
        """),
  ]

  private static let rsa = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAiPb4stYYbsKSl6mq/9zL
    YOugJsM4PG9OskV5Ccen5b5LhU2GOFsqv7YFAiXIhYmt345iPHGcPvJe7r38QzJ3
    F8OFxAg2Crv9tvsZBpEN7Uk1rtX/Di5LCICW1c/0cgMAGo9QA8vyWyTAQxv7nqUZ
    VX/lDHNdy7hYd2d32y1qfqwKQlxBQHKhKLUxrsMCDWHSn2AFpkt8BiNfIy8CgJ5y
    LSvtiOLXbYYxmMU77nf6n1S+RVm7GOr04ZrS1xAb+VKnPwM5slB7/vquEfhA1Lrl
    5ckJYvqgpfrhtncT38qKDBSMzsZTBx6yntehNdR5HL2z2+LYnxyI6OtzaIKZa3aj
    IQIDAQAB
    -----END PUBLIC KEY-----
    """

  static let p256 = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESuqK/VdwrNcVHqTCeQaZQ6HEPhr2
    YUgIDWoGW9lQeeR5U4q7t4WtinwgLsNJ/AJqe7pV2kaPZShUDNy7p+0/Rg==
    -----END PUBLIC KEY-----
    """

  private static let p384 = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAERHZGwPDsD0JBStl41Jf0KjHPPg/ZNjd4
    eEihkxrXnldSA9h/zjp+vZn9iVTJ9OuTkgHHFVTRZ49zWCyRYbjQI+rhgZAtvr9g
    Y9hJ5iXlesnNkH9gxZ+1JASMlBeGTVUo
    -----END PUBLIC KEY-----
    """

  private static let p521 = """
    -----BEGIN PUBLIC KEY-----
    MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAoFDRSpvPOunRQVeUR52Qw9VK6xM7
    tFlEc9pLoThyLvByVbIzmadAec5iYOSSxRAhFAyF7yZZhk4EIU/xsUK6UkIAOFlO
    M6T+fo8M/lNuHCaTAX4Jz8IMW2sFID2za1BLl1trHQCXXsVk9HlHnq40u2mhTF9u
    HreTNrOu+eSUW5+iL3Q=
    -----END PUBLIC KEY-----
    """

  private static let ed25519 = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEALeMTexTfGA6CqPBR0kQ56pJylzqeL3PGCTdHl26GiD8=
    -----END PUBLIC KEY-----
    """
}
