import { call, fail, object, put1, whole } from "./runtime.js";

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Makes a gate or an endpoint as its configuration says. */
export const configured = (make, config) => {
  const { firstPromptId = "1", wallClockOffset = 0, limits = {} } = object(config ?? {}, "/config");
  const first = typeof firstPromptId === "number" ? String(whole(firstPromptId, "/firstPromptId")) : firstPromptId;
  if (typeof first !== "string" || !/^\d+$/.test(first)) {
    fail("invalid_value", "/firstPromptId", "Give a whole number, or its digits.");
  }
  whole(wallClockOffset, "/wallClockOffset");
  const bounds = Object.entries(object(limits, "/limits"));
  for (const [name, most] of bounds) whole(most, `/limits/${name}`);
  call("ag_config", put1(first), wallClockOffset);
  for (const [name, most] of bounds) call("ag_config_limit", put1(snake(name)), Math.min(most, 0xffffffff));
  return call(make);
};
