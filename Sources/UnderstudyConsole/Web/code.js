// A request as a line of code.

const implied = ['host', 'content-length', 'connection', 'accept-encoding', 'user-agent'];
const own = (sent) => sent.headers.filter((header) => !implied.includes(header.name.toLowerCase()));
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const escapes = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t'};
/** A literal of Swift. */
const literal = (value) => `"${value.replace(/["\\\u0000-\u001f\u007f]/g, (letter) =>
  escapes[letter] ?? `\\u{${letter.charCodeAt(0).toString(16)}}`)}"`;

const isBinary = (sent) => sent.postData?.encoding === 'base64';

export function curl(sent) {
  const method = {GET: [], HEAD: ['--head']}[sent.method] ?? [`-X ${sent.method}`];
  const words = ['curl -i', ...method, ...(/[[\]{}]/.test(sent.url) ? ['-g'] : []), quoted(sent.url),
    ...own(sent).map((header) => `-H ${quoted(`${header.name}: ${header.value}`)}`)];
  const text = sent.postData?.text;
  if (!text) return words.join(' ');
  if (isBinary(sent)) return `echo ${text} | base64 -d | ${[...words, '--data-binary @-'].join(' ')}`;
  return [...words, `--data-raw ${quoted(text)}`].join(' ');
}

export function swift(sent) {
  return [`var request = URLRequest(url: URL(string: ${literal(sent.url)})!)`,
    `request.httpMethod = ${literal(sent.method)}`,
    ...own(sent).map((header) =>
      `request.setValue(${literal(header.value)}, forHTTPHeaderField: ${literal(header.name)})`),
    ...(sent.postData?.text ? [isBinary(sent)
      ? `request.httpBody = Data(base64Encoded: ${literal(sent.postData.text)})`
      : `request.httpBody = Data(${literal(sent.postData.text)}.utf8)`] : [])].join('\n');
}

/** A literal of Python and of JavaScript: JSON but for letters that end a line of JavaScript. */
const json = (text) => JSON.stringify(text).replace(/[\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16)}`);
const fields = (sent) => own(sent).map((header) => `${json(header.name)}: ${json(header.value)}`);

export function python(sent) {
  const text = sent.postData?.text;
  const content = !text ? '' : isBinary(sent) ? `content=base64.b64decode(${json(text)}),` : `content=${json(text)}.encode(),`;
  return [...(text && isBinary(sent) ? ['import base64'] : []), 'import httpx', '',
    'response = httpx.request(', `    ${json(sent.method)}, ${json(sent.url)},`,
    `    headers={${fields(sent).join(', ')}},${content ? ` ${content}` : ''}`, ')',
    'print(response.status_code, response.text)'].join('\n');
}

export function fetched(sent) {
  const text = sent.postData?.text;
  const content = isBinary(sent) ? `Uint8Array.from(atob(${json(text)}), (letter) => letter.charCodeAt(0))` : json(text ?? '');
  return [`const response = await fetch(${json(sent.url)}, {`, `  method: ${json(sent.method)},`,
    `  headers: {${fields(sent).join(', ')}},`, ...(text ? [`  body: ${content},`] : []), '});',
    'console.log(response.status, await response.text());'].join('\n');
}

/** The languages that a request is copied as. */
export const languages = [['curl', curl], ['Python', python], ['fetch', fetched], ['Swift', swift]];

export const test = (request) => `api.reply(to: ${literal(request.operation)}, ${request.status})`;
