import HTTPTypes
import UnderstudyMock

/// Secrets in cookies and in the targets of requests.
extension PlantedSecret {
  static let cookies: [Self] = [
    header(
      "a login cookie of any name", "Cookie", "username-127-0-0-1-8888=2|1:0|10:17|23:user|44:YWJj|9f8e7d6c5b4a",
      "9f8e7d6c5b4a"),
    header("a cookie with a prefix", "Cookie", "a=1; __Host-sid=hostS3ss10n", "hostS3ss10n"),
    header("a cookie for XSRF", "Cookie", "_xsrf=2|98fe1c2b|77aa", "2|98fe1c2b|77aa"),
    header("a cookie without a name", "Cookie", "a=1; n4meless-c00kie", "n4meless-c00kie"),
    header("a cookie with an empty name", "Cookie", "=3mptyname-c00kie", "3mptyname-c00kie"),
    answered(
      "a cookie without a name that is set", "text/plain", "ok", "s3t-n4meless",
      fields: [("Set-Cookie", "s3t-n4meless; Path=/")]),
    answered(
      "a cookie that is set", "text/plain", "ok", "s3t-c00kie-value",
      fields: [("Set-Cookie", "sess=s3t-c00kie-value; Path=/; HttpOnly")]),
    answered(
      "the path of a cookie", "text/plain", "ok", "c00kiePath77",
      fields: [("Set-Cookie", "sess=abcd1234; Path=/in/c00kiePath77; HttpOnly")],
      to: request("/x", [("X-Api-Key", "c00kiePath77")])),
    answered(
      "a cookie with an encoded value", "text/plain", "ok", "abc/123+x=",
      fields: [("Set-Cookie", "remember=abc%2F123%2Bx%3D; Secure")]),
  ]

  static let targets: [Self] = [
    target("a query of a security scheme", "/x?k=querysecret1&a=1", "querysecret1"),
    target("access_token", "/x?access_token=at-778899", "at-778899"),
    target("an OAuth code", "/cb?code=4f5a6b7c8d&state=x", "4f5a6b7c8d"),
    target("sessionid", "/x?sessionid=sess998877", "sess998877"),
    target("session_id", "/x?session_id=77aa88bb", "77aa88bb"),
    target("token[]", "/x?token[]=arr1secret&token[]=arr2secret", "arr1secret", "arr2secret"),
    target("an encoded token", "/x?api%5Fkey=a%2Fb%2Bc1234", "a/b+c1234"),
    target("a fragment", "/cb#access_token=fragm3nt99&token_type=bearer", "fragm3nt99"),
    target("sig in a query", "/x?sv=2022&sig=s1g-0f-azure", "s1g-0f-azure"),
    target("a PIN in a query", "/x?pin=482913", "482913"),
    target(
      "the token of a bot of Telegram", "/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5P/getMe",
      "AAHdqTcvCH1vGWJxfSeofSAs0K5P"),
    target(
      "the encoded token of a bot of Telegram", "/file/bot110201543%3AAAHdqTcvCH1vGWJxfSeofSAs0K5P/a.txt",
      "AAHdqTcvCH1vGWJxfSeofSAs0K5P"),
    target(
      "the path of a webhook of Slack", "/services/T00000000/B00000000/sl4ckP4thXXXXXXXX", "sl4ckP4thXXXXXXXX"),
    target(
      "the path of a workflow of Slack", "/workflows/T00000000/A00000000/12345678/w0rkfl0wT0ken", "w0rkfl0wT0ken"),
    target("a link that resets a password", "/account/reset-password/c6h3kz0a1b", "c6h3kz0a1b"),
    target("a link of Laravel", "/password/reset/9f8e7d6c5b4a?email=x", "9f8e7d6c5b4a"),
    target("a link of Django", "/accounts/reset/MQ/c6h3kz-0a1b2c3d4e5f6071/", "c6h3kz-0a1b2c3d4e5f6071"),
    target("a matrix parameter", "/x;jsessionid=MATRIX1234?a=b", "MATRIX1234"),
    target("a token in a path", "/verify/\(token)/done", token, signature),
    target(
      "a key in a path", "/hooks/ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    target(
      "a signed URL",
      "/o?X-Amz-Credential=AKIDEXAMPLE12&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"),
    header("a Referer with a code", "Referer", "https://app/cb?code=r3f3r3r11", "r3f3r3r11"),
    answered(
      "a redirect with a token", "text/plain", "", "l0cat10n77", status: 302,
      fields: [("Location", "https://u:l0cat10n77@h/in#access_token=l0cat10n77")]),
  ]
}
