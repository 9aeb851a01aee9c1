// The Model Context Protocol's own client calls our `ask` tool, in both eras.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ElicitRequestSchema, ElicitResultSchema } from '@modelcontextprotocol/core';
import { McpServer } from '@modelcontextprotocol/server';
import { BINARY, CONTENT, HOSTILE, Lines, QUESTIONS, RESULTS, deferred, holds } from './askgate.mjs';

const ERAS = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' }, 'either, by probing': 'auto' };
const FORMS = { elicitation: { form: {} } };

/** A client of our binary whose person does what `answer` says. */
async function connected(t, mode, answer, capabilities = FORMS) {
  const client = new Client({ name: 'peer', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (answer) client.setRequestHandler('elicitation/create', answer);
  await client.connect(new StdioClientTransport({ command: BINARY, args: ['mcp'], stderr: 'inherit' }));
  t.after(() => client.close());
  return client;
}

const ask = (client, questions = QUESTIONS, more = {}, options = undefined) =>
  client.callTool({ name: 'ask', arguments: { questions, ...more } }, options);

for (const [era, mode] of Object.entries(ERAS)) {
  test(`${era}: the tool is listed, asked and answered`, async (t) => {
    let seen;
    const client = await connected(t, mode, async ({ params }) => {
      seen = params;
      return { action: 'accept', content: CONTENT };
    });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ['ask']);
    const result = await ask(client);
    assert.equal(result.isError, false);
    assert.deepEqual(result.structuredContent, { status: 'answered', results: RESULTS });

    const { properties, required } = seen.requestedSchema;
    const keys = ['question_0', 'question_0_custom', 'question_1', 'question_1_custom', 'question_2'];
    assert.deepEqual(Object.keys(properties), keys, 'the fields keep their order in a map of JavaScript');
    assert.deepEqual(required, ['question_2']);
    assert.deepEqual(properties.question_1.items.anyOf.map((option) => option.const), HOSTILE);
    assert.equal(properties.question_0.oneOf[0].title, 'Small change \u2014 One file');
    assert.equal(seen.message, 'Please answer 3 questions.');
  });

  test(`${era}: each label alone comes back as it was`, async (t) => {
    let wanted;
    const client = await connected(t, mode, async () => ({ action: 'accept', content: { question_0: wanted } }));
    const options = HOSTILE.map((label) => ({ label }));
    for (wanted of HOSTILE) {
      const { structuredContent } = await ask(client, [{ id: 'q', question: 'Which?', options }]);
      assert.deepEqual(structuredContent.results, [{ id: 'q', selected: [wanted] }]);
    }
  });

  test(`${era}: what is no answer selects nothing`, async (t) => {
    let answer;
    const client = await connected(t, mode, async () => answer);
    for (const [given, status] of [
      [{ action: 'decline' }, 'declined'],
      [{ action: 'cancel' }, 'cancelled'],
      [{ action: 'decline', content: { question_0: 'Small change' } }, 'declined'],
      [{ action: 'accept' }, 'invalid_answer'],
      [{ action: 'accept', content: {} }, 'invalid_answer'],
      [{ action: 'accept', content: { ...CONTENT, question_0: 'small change' } }, 'invalid_answer'],
      [{ action: 'accept', content: { ...CONTENT, extra: 'x' } }, 'invalid_answer'],
      [{ action: 'accept', content: { ...CONTENT, question_2: '  ' } }, 'invalid_answer'],
    ]) {
      answer = given;
      const result = await ask(client);
      assert.equal(result.isError, true);
      assert.deepEqual(result.structuredContent, { status }, JSON.stringify(given));
      for (const label of ['Small change', 'Full refactor', 'in my own words']) {
        assert.ok(!JSON.stringify(result).includes(label));
      }
    }
  });

  test(`${era}: a client that fills defaults in makes no answer of ours`, async (t) => {
    const capabilities = { elicitation: { form: { applyDefaults: true } } };
    const client = await connected(t, mode, async () => ({ action: 'accept', content: {} }), capabilities);
    const [single] = QUESTIONS;
    const result = await ask(client, [single, { ...single, id: 'several', multi: true }]);
    assert.deepEqual(result.structuredContent, { status: 'invalid_answer' });
  });

  test(`${era}: a client without forms has no tool, and an ask is unavailable`, async (t) => {
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      const client = await connected(t, mode, undefined, capabilities);
      assert.deepEqual((await client.listTools()).tools, []);
      assert.deepEqual((await ask(client)).structuredContent, { status: 'unavailable' });
    }
  });

  test(`${era}: a faulty call is told what is wrong, and nobody is asked`, async (t) => {
    const client = await connected(t, mode, () => assert.fail('nobody is to be asked'));
    const result = await ask(client, [{ id: 'q', question: 'Which?', options: [{ label: 'a' }, { label: ' a' }] }]);
    assert.deepEqual(result.structuredContent, {
      status: 'invalid_request',
      code: 'duplicate',
      path: '/questions/0/options/1/label',
    });
  });
}

test('2025-11-25: a deadline ends the call, and the form is withdrawn', async (t) => {
  const withdrawn = deferred();
  const client = await connected(t, 'legacy', (_request, { mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => withdrawn.resolve());
    return new Promise(() => {});
  });
  const result = await ask(client, QUESTIONS, { timeout_ms: 50 });
  assert.deepEqual(result.structuredContent, { status: 'timed_out' });
  await withdrawn.promise;
});

test('2025-11-25: a call that the client gives up makes room for the next', async (t) => {
  const given = { action: 'accept', content: { question_0: 'Small change' } };
  const asked = deferred();
  let first = true;
  const client = await connected(t, 'legacy', () => {
    if (!first) return given;
    first = false;
    asked.resolve();
    return new Promise(() => {});
  });
  const giveUp = new AbortController();
  const call = ask(client, QUESTIONS, {}, { signal: giveUp.signal });
  await asked.promise;
  assert.deepEqual((await ask(client)).structuredContent, { status: 'busy' });
  giveUp.abort();
  await assert.rejects(call);
  assert.equal((await ask(client, QUESTIONS.slice(0, 1))).structuredContent.status, 'answered');
});

test('no form that we send holds a default', async (t) => {
  for (const mode of ['legacy', { pin: '2026-07-28' }]) {
    let seen;
    const client = await connected(t, mode, async ({ params }) => { seen = params; return { action: 'cancel' }; });
    await ask(client);
    assert.ok(!holds(seen.requestedSchema, 'default'));
    assert.ok(!holds(seen.requestedSchema, 'pattern'));
    assert.match(seen.requestedSchema.properties.question_0.description, /Recommended: Full refactor/);
  }
});

test('the traps are real: what the peers drop, reorder, let through and fill in', async () => {
  const properties = {
    a: { type: 'string', oneOf: [{ const: 'x', title: 'X', description: 'lost' }] },
    b: { type: 'string', pattern: '^lost$' },
  };
  const params = { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties } };
  const read = ElicitRequestSchema.parse({ method: 'elicitation/create', params });
  assert.ok(!JSON.stringify(read).includes('lost'));
  assert.deepEqual(Object.keys(JSON.parse('{"zeta":1,"10":1}')), ['10', 'zeta']);
  assert.deepEqual(ElicitResultSchema.parse({ action: 'accept' }), { action: 'accept' });
  // `null` beside a decline reads as no content.
  assert.equal(ElicitResultSchema.parse({ action: 'decline', content: null }).content, undefined);

  const filled = await withTheirServer({ elicitation: { form: { applyDefaults: true } } }, {
    type: 'object',
    properties: { a: { type: 'string', enum: ['x', 'y'], default: 'y' } },
  });
  assert.deepEqual(filled, { action: 'accept', content: { a: 'y' } });
});

/** What their own server takes for an answer, where the person sent an empty form. */
async function withTheirServer(capabilities, requestedSchema) {
  const server = new McpServer({ name: 'theirs', version: '1' });
  const client = new Client({ name: 'peer', version: '1' }, { capabilities });
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: {} }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  const result = await server.server.elicitInput({ message: 'm', requestedSchema });
  await client.close();
  return result;
}

// What no client library sends, or shows: lines over stdio.

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': FORMS,
};

const call = (id, params, meta = META) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'ask', ...(meta && { _meta: meta }), ...params },
});

const QUESTION = { questions: [{ id: 'q', question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }] };

test('2026-07-28: a call made again without an answer gets the form again, and with one the result', async () => {
  const raw = new Lines(['mcp']);
  raw.send(call(0, { arguments: QUESTION }));
  const first = await raw.next();
  assert.equal(first.id, 0);
  assert.equal(first.result.resultType, 'input_required');
  const { requestState } = first.result;

  raw.send(call('0', { arguments: QUESTION, requestState, inputResponses: {} }));
  assert.deepEqual(await raw.next(), { ...first, id: '0' });
  raw.send(call(1, { arguments: QUESTION }));
  assert.equal((await raw.next()).result.structuredContent.status, 'busy');

  const inputResponses = { ask: { action: 'accept', content: { question_0: 'b' } }, other: {} };
  raw.send(call('', { arguments: QUESTION, requestState, inputResponses }));
  const last = await raw.next();
  assert.equal(last.id, '');
  assert.equal(last.result.resultType, 'complete');
  assert.deepEqual(last.result.structuredContent.results, [{ id: 'q', selected: ['b'] }]);

  raw.send(call(2, { arguments: QUESTION, requestState, inputResponses }));
  assert.equal((await raw.next()).error.code, -32602, 'an answer is taken once');
  assert.equal(await raw.end(), 0);
});

test('2026-07-28: an answer after the deadline gets the end, and the next question can be asked', async () => {
  const raw = new Lines(['mcp']);
  raw.send(call(1, { arguments: { ...QUESTION, timeout_ms: 20 } }));
  const { requestState } = (await raw.next()).result;
  await new Promise((resolve) => { setTimeout(resolve, 60); });
  const inputResponses = { ask: { action: 'accept', content: { question_0: 'b' } } };
  raw.send(call(2, { arguments: QUESTION, requestState, inputResponses }));
  const { id, result } = await raw.next();
  assert.deepEqual([id, result.structuredContent], [2, { status: 'timed_out' }]);
  raw.send(call(3, { arguments: QUESTION }));
  assert.equal((await raw.next()).result.resultType, 'input_required');
  assert.equal(await raw.end(), 0);
});

test('a request state that was never given is refused', async () => {
  const raw = new Lines(['mcp']);
  for (const requestState of ['1', 'x', '', '99999999999999999999']) {
    raw.send(call(1, { arguments: QUESTION, requestState, inputResponses: { ask: { action: 'decline' } } }));
    assert.equal((await raw.next()).error.code, -32602);
  }
  assert.equal(await raw.end(), 0);
});

test('the ids 0 and "0" are two calls', async () => {
  const raw = new Lines(['mcp']);
  raw.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { capabilities: FORMS } });
  assert.equal((await raw.next()).result.protocolVersion, '2025-11-25');
  raw.send(call(0, { arguments: QUESTION }, null));
  const form = await raw.next();
  assert.equal(form.method, 'elicitation/create');
  raw.send(call('0', { arguments: QUESTION }, null));
  const busy = await raw.next();
  assert.deepEqual([busy.id, busy.result.structuredContent], ['0', { status: 'busy' }]);
  // A response to another id than ours is none.
  const result = { action: 'accept', content: { question_0: 'a' } };
  raw.send({ jsonrpc: '2.0', id: String(form.id), result }, { jsonrpc: '2.0', id: form.id, result });
  const answered = await raw.next();
  assert.deepEqual([answered.id, answered.result.structuredContent.status], [0, 'answered']);
  assert.equal(await raw.end(), 0);
});

test('messages that do not fit are refused by the numbers of the protocol', async () => {
  const raw = new Lines(['mcp']);
  const refused = async (message, code, id = null) => {
    raw.send(message);
    const reply = await raw.next();
    assert.deepEqual([reply.id, reply.error.code], [id, code], JSON.stringify(message));
  };
  await refused([{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600);
  await refused({ jsonrpc: '2.0', id: 1 }, -32600, 1);
  await refused({ jsonrpc: '2.0', id: 1, method: 'prompts/list' }, -32601, 1);
  await refused({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'other' } }, -32602, 1);
  await refused({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: 'x' }, -32602, 1);
  const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  await refused(call(1, { arguments: QUESTION }, meta), -32022, 1);
  raw.child.stdin.write('not JSON\n');
  assert.equal((await raw.next()).error.code, -32700);
  raw.send({ jsonrpc: '2.0', method: 'notifications/other' }, { jsonrpc: '2.0', id: 'p', method: 'ping' });
  assert.deepEqual(await raw.next(), { jsonrpc: '2.0', id: 'p', result: {} });
  assert.equal(await raw.end(), 0);
});
