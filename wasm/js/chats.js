// The whole package, and questions in chats.
export * from "./host.js";
export { Router } from "./chat.js";
