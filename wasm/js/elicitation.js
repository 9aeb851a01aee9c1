import { call, json, object, puts, string, toJson } from "./runtime.js";

const asked = (protocol, questions) => [
  string(protocol, "/protocol"),
  toJson(Array.isArray(questions) ? { questions } : questions, "/questions"),
];

export const canElicit = (protocol, capabilities) =>
  call("ag_elicitation_can_show", ...puts(string(protocol, "/protocol"), toJson(capabilities, "/capabilities"))) === 1;

export const elicitationRequest = (protocol, questions, scope) => {
  const { sessionId, toolCallId, requestId } = object(scope ?? {}, "/scope");
  const isNumber = Number.isSafeInteger(requestId);
  const kind = isNumber ? 3 : requestId !== undefined ? 2 : toolCallId !== undefined ? 1 : 0;
  const id = isNumber ? String(requestId) : string(requestId ?? sessionId ?? "", "/scope");
  const [named, form, first, second] = puts(...asked(protocol, questions), id, string(toolCallId ?? "", "/scope/toolCallId"));
  call("ag_elicitation_request", named, form, kind, first, second);
  return json();
};

export const elicitationResult = (protocol, questions, response) => {
  call("ag_elicitation_result", ...puts(...asked(protocol, questions), toJson(response, "/response")));
  return json();
};
