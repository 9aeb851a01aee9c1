import { Held, call, json, object, put1, string, toJson, wasm } from "./runtime.js";

export class Mirror extends Held {
  constructor() {
    super("ag_mirror_free", () => call("ag_mirror_new"));
  }

  apply(push) {
    this._call(wasm.ag_mirror_apply, put1(toJson(push, "/push")));
  }

  snapshot(snapshot) {
    const { seq, pending } = object(snapshot, "/snapshot");
    this.apply({ kind: "snapshot", seq, pending });
  }

  reset() {
    this._call(wasm.ag_mirror_reset);
  }

  head(surface) {
    return this._call(wasm.ag_mirror_head, put1(string(surface, "/surface"))) ? json() : null;
  }

  count(surface) {
    return this._call(wasm.ag_mirror_count, put1(string(surface, "/surface")));
  }

  len() {
    return this._call(wasm.ag_mirror_len);
  }

  pending() {
    this._call(wasm.ag_mirror_pending);
    return json();
  }

  surfaces() {
    this._call(wasm.ag_mirror_surfaces);
    return json();
  }
}
