'use strict';

/** A request that reached the mock, with its answer. Secrets are removed, as in the journal. */
class Request {
  constructor(detail) {
    const { request, response = {} } = detail.exchange;
    const prefix = `/~${detail.lane ?? ''}/`;
    this.number = detail.id;
    this.method = detail.method;
    this.target = detail.target.startsWith(prefix) ? detail.target.slice(prefix.length - 1) : detail.target;
    [this.path, this.query = ''] = this.target.split(/\?(.*)/s);
    this.status = detail.status;
    this.operation = detail.operation;
    this.findings = detail.findings;
    this.headers = fieldsOf(request);
    this.body = content(request.postData);
    this.responseHeaders = fieldsOf(response);
    this.responseBody = content(response.content);
  }

  get text() {
    return this.body.toString();
  }

  get json() {
    return JSON.parse(this.text);
  }

  /** The first value of a header field. */
  header(name) {
    return this.headers[name.toLowerCase()];
  }

  /** The members of a body that is a JSON object or a form; a repeated field of a form has a list. */
  get fields() {
    if ((this.header('content-type') ?? '').includes('json')) {
      try {
        const value = this.json;
        return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
      } catch {
        return {};
      }
    }
    const values = {};
    for (const [name, value] of new URLSearchParams(this.text)) {
      values[name] = Object.hasOwn(values, name) ? [values[name], value].flat() : value;
    }
    return values;
  }

  /** One member of the body. */
  field(name) {
    return this.fields[name];
  }

  toString() {
    const lines = [`${this.method} ${this.target}`, ...Object.entries(this.headers).map(([name, value]) => `${name}: ${value}`)];
    if (this.body.length) lines.push('', this.text.slice(0, 2000));
    lines.push(`-> ${this.status ?? 'no answer'}`);
    if (this.responseBody.length) lines.push(this.responseBody.toString().slice(0, 2000));
    return lines.join('\n  ');
  }
}

function fieldsOf(message) {
  const fields = {};
  for (const { name, value } of message.headers ?? []) fields[name.toLowerCase()] ??= value;
  return fields;
}

function content(value) {
  return Buffer.from(value?.text ?? '', value?.encoding === 'base64' ? 'base64' : 'utf8');
}

module.exports = { Request };
