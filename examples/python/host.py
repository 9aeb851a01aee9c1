#!/usr/bin/env python3
"""A line host over the shared library: it asks, reads an answer a line, and prints what the person chose.

    host.py '{"surface_id":"tty","kind":"choice","title":"Where to?","choices":[{"id":"dev"},{"id":"prod"}]}'

The question goes to stderr and the answer to stdout. An answer that does not fit is asked for again; an empty line or the end
of input cancels. It ends with 0 if the person answered, 3 if they cancelled. ASKGATE_LIBRARY names the library where the
linker does not find it.
"""

import ctypes
import json
import os
import sys
import time
from ctypes import POINTER, byref, c_bool, c_char_p, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

ABI_VERSION = 1
OK, REFUSED = 0, 100
DIALECT_AGENT, CLAIM_REQUEST = 1, 1
RESOLVE_VALUE, RESOLVE_CANCEL = 1, 4
EVENT_WAIT, EVENT_RESOLVED, OUTCOME_ANSWERED = 0, 2, 1


class Text(ctypes.Structure):
    """askgate_text. What the library lends is copied at once by str()."""

    _fields_ = [("data", c_void_p), ("len", c_size_t)]

    @classmethod
    def of(cls, text):
        """The text, and the bytes that it points to, to be kept until the call has ended."""
        data = text.encode()
        return cls(ctypes.cast(c_char_p(data), c_void_p), len(data)), data

    def __str__(self):
        return ctypes.string_at(self.data, self.len).decode() if self.data else ""


class Address(ctypes.Structure):
    _fields_ = [(name, Text) for name in ("platform", "bot", "chat", "thread", "user")]


class Ask(ctypes.Structure):
    _fields_ = [("dialect", c_int32), ("request", Text), ("session", Text), ("run", Text), ("has_asker", c_uint8), ("asker", c_uint64)]


class Claim(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32), ("prompt", c_uint64), ("session", Text), ("run", Text), ("has_connection", c_uint8),
        ("connection", c_uint64), ("surface", Text), ("user", Text), ("address", Address),
    ]


class Resolution(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("text", Text)]


class Event(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32), ("seq", c_uint64), ("prompt", c_uint64), ("outcome", c_int32), ("answer", Text), ("reason", Text),
        ("tool_result", Text), ("has_asker", c_bool), ("asker", c_uint64), ("session", Text), ("run", Text),
        ("available", c_bool), ("has_deadline", c_bool), ("deadline", c_uint64), ("json", Text),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("result", c_int32), ("code", Text), ("message", Text), ("path", Text), ("field", Text), ("outcome", c_int32),
        ("reason", Text), ("offset", c_size_t), ("tool_result", Text),
    ]


def load():
    library = ctypes.CDLL(os.environ.get("ASKGATE_LIBRARY", "libaskgate.so"))
    gate = c_void_p
    for name, arguments in {
        "new": [c_uint32, c_void_p, POINTER(gate)],
        "free": [gate],
        "error": [gate, POINTER(Error)],
        "ask": [gate, c_uint64, POINTER(Ask), POINTER(c_uint64)],
        "resolve": [gate, c_uint64, POINTER(Claim), POINTER(Resolution), POINTER(c_int32)],
        "poll": [gate, c_uint64, POINTER(Event)],
    }.items():
        function = getattr(library, "askgate_gate_" + name)
        function.argtypes, function.restype = arguments, c_int32
    library.askgate_result_name.argtypes, library.askgate_result_name.restype = [c_int32], Text
    return library


class Refused(Exception):
    """The gate did not take a call. Its message says what to do."""


class Gate:
    """Owns a gate; a context manager, so that it is freed once."""

    def __init__(self, library):
        self.library, self.handle = library, c_void_p()
        self.check(library.askgate_gate_new(ABI_VERSION, None, byref(self.handle)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.askgate_gate_free(self.handle)
        self.handle = None

    def check(self, result):
        if result == OK:
            return
        error = Error()
        if result >= REFUSED and self.library.askgate_gate_error(self.handle, byref(error)) == OK:
            raise Refused(f"{error.code}: {error.message}")
        raise RuntimeError(f"askgate: {self.library.askgate_result_name(result)}")

    @staticmethod
    def now():
        return time.monotonic_ns() // 1_000_000

    def ask(self, request):
        text, kept = Text.of(request)
        ask, prompt = Ask(dialect=DIALECT_AGENT, request=text), c_uint64()
        self.check(self.library.askgate_gate_ask(self.handle, self.now(), byref(ask), byref(prompt)))
        del kept
        return prompt.value

    def resolve(self, prompt, kind, text=None):
        claim = Claim(kind=CLAIM_REQUEST, prompt=prompt)
        text, kept = (Text(), None) if text is None else Text.of(text)
        resolution = Resolution(kind=kind, text=text)
        self.check(self.library.askgate_gate_resolve(self.handle, self.now(), byref(claim), byref(resolution), None))
        del kept

    def events(self):
        event = Event()
        while True:
            self.check(self.library.askgate_gate_poll(self.handle, self.now(), byref(event)))
            if event.kind == EVENT_WAIT:
                return
            yield event


def main():
    request = sys.argv[1] if len(sys.argv) > 1 else '{"surface_id":"tty","kind":"yesno","title":"Deploy?"}'
    with Gate(load()) as gate:
        prompt = gate.ask(request)
        asked = json.loads(request)
        choices = [choice["id"] for choice in asked.get("choices", [])] or {"yesno": ["yes", "no"]}.get(asked["kind"], [])
        while True:
            print(asked["title"], "/".join(choices), file=sys.stderr)
            line = sys.stdin.readline().strip()
            try:
                gate.resolve(prompt, RESOLVE_VALUE if line else RESOLVE_CANCEL, line or None)
                break
            except Refused as refused:
                print(refused, file=sys.stderr)
        for event in gate.events():
            if event.kind == EVENT_RESOLVED:
                if event.outcome == OUTCOME_ANSWERED:
                    print(event.answer)
                    return 0
                print("cancelled", event.reason, file=sys.stderr)
    return 3


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Refused, RuntimeError) as error:
        sys.exit(str(error))
