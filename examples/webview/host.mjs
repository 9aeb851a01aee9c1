// The host of the example: it holds the gate, serves the page, and carries lines between it and its WebSockets. A `demo`
// agent in the same process asks one prompt after another, so that there is something to answer.
//
//   node host.mjs [port]

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Endpoint } from "askgate";
import { WebSocketServer } from "ws";

const here = dirname(fileURLToPath(import.meta.url));
const askgate = dirname(createRequire(import.meta.url).resolve("askgate/package.json"));

/** What the page may load, and from where. */
const FILES = new Map([
  ["/", [join(here, "page.html"), "text/html; charset=utf-8"]],
  ["/page.js", [join(here, "page.js"), "text/javascript"]],
  ["/page.css", [join(here, "page.css"), "text/css"]],
  ["/askgate/modal/web.js", [join(askgate, "modal", "web.js"), "text/javascript"]],
  ["/askgate/modal.wasm", [join(askgate, "modal.wasm"), "application/wasm"]],
]);

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'";

export const startHost = async ({ port = 0 } = {}) => {
  const origin = Date.now();
  /** Milliseconds since the host began. */
  const now = () => Date.now() - origin;
  const endpoint = new Endpoint({ wallClockOffset: origin });
  const receivers = new Map();
  let timer;

  /** Sends what waits to be sent, and sets the alarm for the next deadline. */
  const pump = () => {
    let output;
    while ((output = endpoint.poll(now())).type !== "wait") {
      if (output.type === "send") receivers.get(output.to)?.(output.line);
    }
    clearTimeout(timer);
    timer = output.delay === null ? undefined : setTimeout(pump, output.delay);
  };

  /** Opens a connection; what it sends goes in by the function that is given back. */
  const connect = (authority, receive) => {
    const connection = endpoint.connect(now(), authority);
    receivers.set(connection, receive);
    const send = (line) => {
      while (endpoint.receive(now(), connection, line) === "full") pump();
      pump();
    };
    const close = () => {
      receivers.delete(connection);
      endpoint.disconnect(now(), connection);
      pump();
    };
    return { send, close };
  };

  const server = createServer(async (request, response) => {
    const file = FILES.get(new URL(request.url, "http://host").pathname);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const [path, type] = file;
    response.writeHead(200, { "content-type": type, "content-security-policy": POLICY, "cache-control": "no-store" });
    response.end(await readFile(path));
  });

  /** A WebSocket may be opened by any page of the browser: only this host's own may answer. */
  const isOwn = ({ origin: page, req }) => page === `http://${req.headers.host}`;
  const sockets = new WebSocketServer({ server, path: "/ask", verifyClient: isOwn, maxPayload: 1 << 20 });
  sockets.on("connection", (socket) => {
    const page = connect({ observer: true }, (line) => socket.send(line));
    socket.on("message", (data) => page.send(String(data)));
    socket.on("close", () => page.close());
    socket.on("error", () => socket.terminate());
  });

  /** Asks, and gives the response when the prompt has ended. */
  const waiting = new Map();
  let last = 0;
  const agent = connect({ answer: false }, (line) => {
    const { id, result, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  });
  const ask = (params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      agent.send(JSON.stringify({ id: last, method: "agent.ask_user", params }));
    });

  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () => {
    clearTimeout(timer);
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.close();
    endpoint.free();
  };
  return { ask, close, address: `http://127.0.0.1:${server.address().port}/` };
};

const DEMO = [
  { kind: "yesno", title: "Install the dependencies?", body: "The lock file names 14 packages." },
  {
    kind: "choice",
    title: "Where should it run?",
    choices: [
      { id: "local", label: "On this computer" },
      { id: "staging", label: "In staging" },
      { id: "production", label: "In production" },
    ],
  },
  { kind: "text", title: "What is the commit about?", body: "One line is best.", default: "Mend the parser" },
  {
    kind: "confirm-command",
    title: "Run this command?",
    body: "rm -rf build && git push --force origin main",
    unsafe: true,
    timeout_ms: 60_000,
  },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const host = await startHost({ port: Number(process.argv[2] ?? 8080) });
  console.log(`open ${host.address}`);
  for (let round = 0; ; round += 1) {
    const response = await host.ask({ surface_id: "surface:1", agent_id: "demo", ...DEMO[round % DEMO.length] });
    console.log(JSON.stringify(response));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
