// The Agent Client Protocol's own client answers what a runtime asks through our host: the client on stdio, the runtime on
// the socket.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import * as acp from '@agentclientprotocol/sdk';
import { CONTENT, HOSTILE, Lines, QUESTIONS, RESULTS, deferred, holds } from './askgate.mjs';

const TOKEN = 'r'.repeat(40);
const CREATE = acp.methods.client.elicitation.create;

/** Lines over the host's socket. */
class Socket {
  constructor(path) {
    this.stream = createConnection(path);
    this.lines = createInterface({ input: this.stream, crlfDelay: Infinity })[Symbol.asyncIterator]();
  }

  send(message) {
    this.stream.write(typeof message === 'string' ? `${message}\n` : `${JSON.stringify(message)}\n`);
  }

  async next() {
    const { value, done } = await this.lines.next();
    return done ? undefined : JSON.parse(value);
  }

  /** The reply to a request; what else comes is let go. */
  async reply(id) {
    for (;;) {
      const message = await this.next();
      if (message === undefined || message.id === id) return message;
    }
  }
}

/** A folder of our own with a token file and a socket in it. */
function folder(t, mode = 0o600) {
  const path = mkdtempSync(join(tmpdir(), 'askgate-'));
  t.after(() => rmSync(path, { recursive: true }));
  const token = join(path, 'runtime.token');
  writeFileSync(token, `${TOKEN}\n`);
  chmodSync(token, mode);
  return { socket: join(path, 'socket'), token };
}

/** A host whose stdio is the client of a run, and a runtime that may ask for it. */
async function host(t, capabilities = '{"elicitation":{"form":{}}}') {
  const { socket, token } = folder(t);
  const args = ['serve', '--stdio', '--client', 'acp', '--session', 's', '--run', 'r'];
  const lines = new Lines([...args, '--capabilities', capabilities, '--runtimes', token], { ASKGATE_SOCKET: socket });
  const { child } = lines;
  t.after(() => child.kill());
  await listening(child);
  const runtime = new Socket(socket);
  t.after(() => runtime.stream.destroy());
  runtime.send(`token ${TOKEN}`);
  return { child, runtime, socket };
}

/** Waits until the host says on stderr that it listens. */
async function listening(child) {
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.startsWith('askgate: listening at')) break;
  }
  child.stderr.resume();
}

/** The protocol's client on the host's stdio. */
function connected(t, child, answer) {
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const connection = acp.client({ name: 'peer' }).onRequest(CREATE, answer).connect(stream);
  t.after(() => connection.close?.());
  return connection;
}

let calls = 0;
async function ask(runtime, questions = QUESTIONS, more = {}) {
  calls += 1;
  const params = { session_key: 's', run_id: 'r', questions, ...more };
  runtime.send({ id: calls, method: 'sessions.prompt.request', params });
  return (await runtime.reply(calls)).result;
}

test('a runtime asks and the client answers', async (t) => {
  const { child, runtime } = await host(t);
  let seen;
  connected(t, child, ({ params }) => {
    seen = params;
    return { action: 'accept', content: CONTENT };
  });
  const result = await ask(runtime);
  assert.equal(result.isError, false);
  assert.deepEqual(result.details, { status: 'answered', results: RESULTS });

  assert.equal(seen.mode, 'form');
  assert.deepEqual([seen.sessionId, seen.requestId], ['s', undefined]);
  const { properties } = seen.requestedSchema;
  const keys = ['question_0', 'question_0_custom', 'question_1', 'question_1_custom', 'question_2'];
  assert.deepEqual(Object.keys(properties), keys);
  assert.deepEqual(properties.question_0.oneOf[0], {
    const: 'Small change',
    title: 'Small change',
    description: 'One file',
  });
  assert.deepEqual(properties.question_1.items.anyOf.map((option) => option.const), HOSTILE);
  assert.ok(!holds(seen, 'default'));
});

test('what is no answer selects nothing', async (t) => {
  const { child, runtime } = await host(t);
  let answer;
  connected(t, child, () => answer);
  for (const [given, status] of [
    [{ action: 'decline' }, 'declined'],
    [{ action: 'cancel' }, 'cancelled'],
    [{ action: 'accept' }, 'invalid_answer'],
    [{ action: 'accept', content: {} }, 'invalid_answer'],
    [{ action: 'accept', content: { ...CONTENT, question_0: 'small change' } }, 'invalid_answer'],
    [{ action: 'accept', content: { ...CONTENT, question_0: { label: 'Small change' } } }, 'invalid_answer'],
    [{ action: '_later' }, 'cancelled'],
  ]) {
    answer = given;
    const result = await ask(runtime);
    assert.deepEqual(result.details, { status }, JSON.stringify(given));
    assert.ok(!JSON.stringify(result).includes('Small change'));
  }
});

test('a client that throws could not show the form', async (t) => {
  const { child, runtime } = await host(t);
  connected(t, child, () => { throw new Error('no window'); });
  assert.deepEqual((await ask(runtime)).details, { status: 'unavailable' });
});

test('a deadline withdraws the form, and what the client says then changes nothing', async (t) => {
  const { child, runtime } = await host(t);
  const withdrawn = deferred();
  let first = true;
  connected(t, child, ({ signal }) => {
    if (!first) return { action: 'accept', content: { question_0: 'Small change' } };
    first = false;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ action: 'cancel' });
        withdrawn.resolve();
      });
    });
  });
  assert.deepEqual((await ask(runtime, QUESTIONS, { timeout_ms: 50 })).details, { status: 'timed_out' });
  await withdrawn.promise;
  assert.equal((await ask(runtime, QUESTIONS.slice(0, 1))).details.status, 'answered');
});

test('a client that hangs up ends the host, and the question with it', async (t) => {
  const { child, runtime } = await host(t);
  connected(t, child, () => {
    child.stdin.end();
    return new Promise(() => {});
  });
  const { status } = (await ask(runtime)).details;
  assert.ok(['cancelled', 'unavailable'].includes(status), status);
});

test('a client whose capabilities have no forms is no surface', async (t) => {
  const { socket, token } = folder(t);
  for (const capabilities of ['{}', '{"elicitation":{}}', '{"elicitation":{"url":{}}}']) {
    const args = ['serve', '--stdio', '--client', 'acp', '--session', 's', '--run', 'r', '--runtimes', token];
    const lines = new Lines([...args, '--capabilities', capabilities], { ASKGATE_SOCKET: socket });
    assert.equal(await lines.end(), 4, capabilities);
  }
});

test('nobody is a runtime without the token', async (t) => {
  const { child, socket } = await host(t);
  connected(t, child, () => assert.fail('nobody is to be asked'));
  const request = { session_key: 's', run_id: 'r', questions: QUESTIONS };
  const line = { id: 1, method: 'sessions.prompt.request', params: request };

  const plain = new Socket(socket);
  plain.send(line);
  assert.match((await plain.reply(1)).error, /^forbidden: /);
  // Too late, and no message.
  plain.send(`token ${TOKEN}`);
  assert.match((await plain.reply(null)).error, /^parse_error: /);
  plain.stream.destroy();

  const wrong = new Socket(socket);
  wrong.send(`token ${'x'.repeat(40)}`);
  assert.match((await wrong.next()).error, /^forbidden: /);
  assert.equal(await wrong.next(), undefined, 'the host hangs up');
});

test('a token file that others may read is refused', async (t) => {
  for (const mode of [0o640, 0o604, 0o660]) {
    const { socket, token } = folder(t, mode);
    const lines = new Lines(['serve', '--headless', '--runtimes', token], { ASKGATE_SOCKET: socket });
    assert.equal(await lines.end(), 1);
  }
});
