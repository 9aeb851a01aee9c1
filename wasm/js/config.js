import { call, fail, object, puts, whole } from "./runtime.js";

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Makes a gate or an endpoint as its configuration says. */
export const configured = (make, config) => {
  const { firstPromptId = "1", wallClockOffset = 0, limits = {} } = object(config ?? {}, "/config");
  const first = typeof firstPromptId === "number" ? String(whole(firstPromptId, "/firstPromptId")) : firstPromptId;
  if (typeof first !== "string" || !/^\d+$/.test(first)) {
    fail("invalid_value", "/firstPromptId", "Give a whole number, or its digits.");
  }
  whole(wallClockOffset, "/wallClockOffset");
  const bounds = {};
  for (const [name, most] of Object.entries(object(limits, "/limits"))) bounds[snake(name)] = whole(most, `/limits/${name}`);
  call("ag_config", ...puts(first, JSON.stringify(bounds)), wallClockOffset);
  return call(make);
};
