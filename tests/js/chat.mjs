// Plays scenarios of `"kind": "chat"`: a host with a gate and a router, and a platform that takes everything.

import { Captures, Fields, justTrue, readConfig, refusal, show, written } from "./fields.mjs";
import { canonical, parse } from "./json.mjs";

/** The id of the first message that the bot sends. */
const FIRST_MESSAGE = 1_001;
/** The bot account, and the application at Discord. */
const BOT = "1";
const ACTIONS = [
  "bind", "ask", "press", "say", "update", "report", "poll", "answer_elsewhere", "withdraw", "end_run", "end_session",
  "shutdown", "lose_chat", "restart", "can_ask", "show_again", "address_of",
];

const filled = (length, byte) => new Uint8Array(length).fill(byte);
/** Telegram's ids are numbers. */
const id = (text) => (/^-?\d+$/.test(text) ? parse(text) : text);

export const chat = (askgate, file, record) => {
  const [config, rest] = readConfig(file);
  rest.done();
  const platform = file.needText("platform");
  const steps = file.needList("steps");
  file.done();
  const host = new Host(askgate, platform, config);
  let now = 0;
  record.steps(steps, (given) => {
    const step = new Fields("the step", given);
    now = step.take("at") ?? now;
    const hold = step.typed("hold", "boolean") ?? false;
    const result = host.act(now, step);
    const wanted = step.take("result");
    const expected = step.take("expect") ?? [];
    const wakes = step.take("wakes");
    step.done();
    const [outputs, waits] = host.drain(now, hold);
    record.add(result);
    for (const output of outputs) record.add(output);
    if (wanted !== undefined) host.captures.compare(wanted, result);
    if (wakes !== undefined) host.captures.compare(wakes, waits, "wakes");
    host.captures.compare(expected, outputs);
  });
  host.free();
};

class Host {
  captures = new Captures();
  /** Where the next prompt of dialect A is to be shown. */
  audiences = [];
  effects = [];
  /** The messages sent: their ids, and their bodies from the first to the last. */
  messages = [];
  /** The tokens of the text fields opened. */
  fields = [];
  /** The message that was pressed last. */
  pressed = "";
  shown = 0;
  events = 0;

  constructor(askgate, platform, config) {
    this.askgate = askgate;
    this.platform = platform;
    this.isTelegram = platform === "telegram";
    this.start(1, config);
  }

  start(key, config) {
    this.router = new this.askgate.Router(this.platform, BOT, filled(32, key));
    this.gate = new this.askgate.Gate(config);
  }

  free() {
    this.router.free();
    this.gate.free();
  }

  act(now, step) {
    const [name, given] = step.action(ACTIONS);
    const value = this.captures.fill(given);
    const fields = () => new Fields(name, value);
    const { router, gate } = this;
    switch (name) {
      case "bind": {
        const bind = fields();
        const session = bind.needText("session");
        const address = {
          platform: bind.typed("platform", "string") ?? this.platform,
          bot: bind.typed("bot", "string") ?? BOT,
          chat: bind.needText("chat"),
          thread: bind.typed("thread", "string"),
          user: bind.needText("user"),
        };
        bind.done();
        try {
          router.bindChat(now, gate, session, address);
          return true;
        } catch (error) {
          return { error: refusal(error).error };
        }
      }
      case "ask":
        this.audiences = (step.take("audiences") ?? []).map(audience);
        try {
          return { prompt: Number(gate.ask(now, canonical(value))) };
        } catch (error) {
          return { error: refusal(error).error };
        }
      case "press":
        return this.handle(now, this.press(fields()));
      case "say":
        return this.handle(now, this.say(fields()));
      case "update":
        return this.handle(now, value);
      case "report":
        return this.report(now, fields());
      case "poll":
        justTrue(name, value);
        // Time passes for the gate when it is polled.
        return null;
      case "answer_elsewhere": {
        const answer = fields();
        const prompt = show(answer.need("prompt"));
        const say = { value: answer.needText("value") };
        answer.done();
        try {
          return gate.resolve(now, { kind: "request", prompt }, say);
        } catch (error) {
          return refusal(error);
        }
      }
      case "withdraw": {
        const withdraw = fields();
        const [prompt, asker] = [show(withdraw.need("prompt")), show(withdraw.need("asker"))];
        withdraw.done();
        return gate.withdraw(now, prompt, asker);
      }
      case "end_run":
        return router.endRun(now, gate, ...value);
      case "end_session":
        return gate.endSession(now, value);
      case "shutdown":
        justTrue(name, value);
        return gate.shutdown(now);
      case "lose_chat":
        return router.loseChat(now, gate, value);
      case "restart":
        justTrue(name, value);
        this.free();
        this.start(2, { firstPromptId: 1_000 });
        return null;
      case "can_ask": {
        const can = gate.canAsk(...value);
        this.captures.compare(step.need("is"), can);
        return can;
      }
      case "show_again": {
        const again = fields();
        const prompt = show(again.need("prompt"));
        const handle = filled(16, again.need("handle"));
        again.done();
        try {
          return router.show(now, gate, prompt, handle, this.audiences);
        } catch (error) {
          return { error: { not_found: "NotPending", id_in_use: "HandleInUse" }[refusal(error).error] };
        }
      }
      case "address_of": {
        const address = router.addressOf(canonical(this.say(fields())));
        return address && { thread: null, ...address };
      }
      default:
        throw new Error(`the action "${name}" is not played`);
    }
  }

  handle(now, update) {
    const { type, reason } = this.router.handle(now, this.gate, canonical(update));
    return reason === undefined ? type : { [type]: reason };
  }

  /** Everything that comes of a step, in order, and when the router wants to be polled again. */
  drain(now, hold) {
    const outputs = [];
    for (;;) {
      let effect = this.router.poll(now);
      for (; effect.type !== "wait"; effect = this.router.poll(now)) outputs.push(this.carryOut(now, effect, hold));
      const event = this.gate.poll(now);
      if (event.type === "wait") return [outputs, effect.deadline];
      outputs.push(written(event));
      if (event.type === "shown") {
        this.shown += 1;
        this.router.show(now, this.gate, event.prompt, filled(16, this.shown), this.audiences);
      } else if (event.type === "resolved") this.router.resolved(now, this.gate, event.prompt);
    }
  }

  /** Does what a platform would, and gives the effect as the files write it. */
  carryOut(now, effect, hold) {
    const { type, method, path } = effect;
    const body = parse(effect.body);
    let message;
    if (type === "send") {
      message = String(FIRST_MESSAGE + this.messages.length);
      this.messages.push([message, [body]]);
    } else if (type === "edit") {
      message = this.isTelegram ? show(body.message_id) : path.split("/").pop();
      const edited = this.messages.find(([own]) => own === message);
      if (edited === undefined) throw new Error(`no message ${message} to edit`);
      edited[1].push(body);
    } else if (type === "acknowledge") {
      if (body.type === 9) this.fields.push(body.data.custom_id);
      if (body.type === 7) this.messages.find(([own]) => own === this.pressed)?.[1].push(body.data);
    }
    if (!hold && message !== undefined) {
      const answer = this.isTelegram ? `{"ok":true,"result":{"message_id":${message}}}` : `{"id":"${message}"}`;
      const { type: read } = this.router.report(now, this.gate, effect.id, { status: 200, body: answer });
      if (read !== "done") throw new Error(`the answer to effect ${effect.id} was read as ${read}`);
    }
    this.effects.push(effect);
    return { [type]: body, path: this.isTelegram ? path : `${method} ${path}` };
  }

  report(now, report) {
    const effect = this.effects[report.need("effect") - 1];
    const status = report.take("status") ?? 200;
    const answer = canonical(report.need("answer"));
    report.done();
    if (effect === undefined) throw new Error("no such effect");
    const { type, afterMs } = this.router.report(now, this.gate, effect.id, { status, body: answer });
    if (type === "done") return type;
    const name = type[0].toUpperCase() + type.slice(1);
    return type === "retry" ? `${name} { after_ms: ${afterMs === null ? "None" : `Some(${afterMs})`} }` : name;
  }

  /** The token of the button of that label, on the message of that id or on the last one that has it. */
  token(button, message) {
    const named = (body) => {
      if (this.isTelegram) return body.reply_markup?.inline_keyboard?.flat().find(({ text }) => text === button)?.callback_data;
      const parts = (body.components ?? []).flatMap((row) => row.components ?? []);
      const menu = /^menu:(\d+)$/.exec(button);
      const found = menu ? parts.filter(({ type }) => type === 3)[menu[1]] : parts.find(({ label }) => label === button);
      return found?.custom_id;
    };
    const messages = this.messages.filter(([own]) => message === undefined || message === own).reverse();
    // A button that a message had once can still be pressed, late.
    for (const newest of [true, false]) {
      for (const [own, bodies] of messages) {
        const token = (newest ? bodies.slice(-1) : [...bodies].reverse()).map(named).find(Boolean);
        if (token !== undefined) return [token, own];
      }
    }
    throw new Error(`no message has the button "${button}"`);
  }

  press(press) {
    const by = press.needText("by");
    let message = press.typed("message", "string");
    const typed = press.typed("text", "string");
    let token = press.typed("token", "string");
    const button = press.typed("button", "string");
    if (token === undefined && button !== undefined) [token, message] = this.token(button, message);
    else {
      token ??= this.fields.at(-1);
      message ??= String(FIRST_MESSAGE);
    }
    const cut = press.take("cut");
    if (cut !== undefined) token = token.slice(0, cut);
    const tamper = press.take("tamper");
    if (tamper !== undefined) token = token.slice(0, tamper) + (token[tamper] === "A" ? "B" : "A") + token.slice(tamper + 1);
    this.events += 1;
    const event = press.typed("event", "string") ?? String(5_000 + this.events);
    const chat = press.typed("chat", "string") ?? this.chat(message);
    const thread = press.typed("thread", "string") ?? this.thread(message);
    const without = press.typed("without_message", "boolean") ?? false;
    const inaccessible = press.typed("inaccessible", "boolean") ?? false;
    const values = press.take("values");
    press.done();
    this.pressed = message;
    if (this.isTelegram) {
      const shown = { message_id: id(message), date: inaccessible ? 0 : 1, chat: { id: id(chat), type: "group" } };
      if (!inaccessible && thread !== undefined) Object.assign(shown, { message_thread_id: id(thread), is_topic_message: true });
      const from = { id: id(by), is_bot: false, first_name: "x" };
      const about = without ? { inline_message_id: "i" } : { message: shown };
      return { update_id: this.events, callback_query: { id: event, from, chat_instance: "1", data: token, ...about } };
    }
    const component = { type: 18, id: 1, component: { type: 4, id: 2, custom_id: "text", value: typed } };
    const data =
      typed === undefined
        ? { custom_id: token, component_type: values === undefined ? 2 : 3, values }
        : { custom_id: token, components: [component] };
    const interaction = {
      id: event,
      application_id: BOT,
      type: typed === undefined ? 3 : 5,
      token: "interaction",
      version: 1,
      channel_id: chat,
      member: { user: { id: by } },
      data,
      message: without ? undefined : { id: message },
    };
    return { t: "INTERACTION_CREATE", d: interaction };
  }

  say(say) {
    this.events += 1;
    const words = say.typed("text", "string");
    const by = say.needText("by");
    const own = say.typed("id", "string") ?? String(9_000 + this.events);
    const chat = say.typed("chat", "string") ?? this.chat(String(FIRST_MESSAGE));
    const thread = say.typed("thread", "string");
    const to = say.typed("reply_to", "string");
    const edited = say.typed("edited", "boolean") ?? false;
    const more = say.take("more") ?? {};
    say.done();
    if (this.isTelegram) {
      const message = {
        message_id: id(own),
        date: 1,
        chat: { id: id(chat), type: "group" },
        from: { id: id(by), is_bot: false, first_name: "x" },
        message_thread_id: thread === undefined ? undefined : id(thread),
        is_topic_message: thread === undefined ? undefined : true,
        reply_to_message: to === undefined ? undefined : { message_id: id(to), date: 1, chat: { id: id(chat) } },
        text: words,
        ...more,
      };
      return { update_id: this.events, [edited ? "edited_message" : "message"]: message };
    }
    const message = {
      id: own,
      channel_id: chat,
      type: to === undefined ? 0 : 19,
      author: { id: by },
      content: words ?? "",
      attachments: [],
      message_reference: to === undefined ? undefined : { type: 0, message_id: to, channel_id: chat },
      ...more,
    };
    return { t: edited ? "MESSAGE_UPDATE" : "MESSAGE_CREATE", d: message };
  }

  /** The chat that a message was sent to. */
  chat(message) {
    if (!this.isTelegram) return this.effects.find(({ type }) => type === "send")?.path.split("/")[2] ?? "100";
    const sent = this.sent(message);
    return sent === undefined ? "-100" : show(sent.chat_id);
  }

  thread(message) {
    const thread = this.sent(message)?.message_thread_id;
    return thread === undefined ? undefined : show(thread);
  }

  /** The body that a message was sent with. */
  sent(message) {
    return this.messages.find(([own]) => own === message)?.[1][0];
  }
}

const audience = (value) => {
  const audience = new Fields("an audience", value);
  const read = {
    chat: audience.needText("chat"),
    thread: audience.typed("thread", "string"),
    users: audience.take("users") ?? [],
  };
  audience.done();
  return read;
};
