import type { JsonObject } from '../../src/core/json.ts'

/** One way in which models miswrite an object, and what they meant; `cut` and `unclear`: to be refused, not guessed. */
export interface MalformedSample {
  readonly what: string
  readonly text: string
  readonly meant: JsonObject | 'cut' | 'unclear'
}

const PATH = { path: 'a.txt' }
const DEEP = { path: 'a.txt', lines: [1, 2], all: true }

/** Forty ways. In the texts `String.raw` keeps backslashes as the model wrote them. */
export const MALFORMED: readonly MalformedSample[] = [
  { what: 'a fence', text: '```json\n{"path": "a.txt"}\n```', meant: PATH },
  { what: 'a fence without a language, Windows line ends', text: '```\r\n{"path": "a.txt"}\r\n```', meant: PATH },
  { what: 'a byte order mark', text: '\ufeff{"path": "a.txt"}', meant: PATH },
  { what: 'prose around it', text: 'I will read it now: {"path": "a.txt"} That is all.', meant: PATH },
  { what: 'a name before it', text: 'json {"path": "a.txt"}', meant: PATH },
  { what: 'trailing commas', text: '{"path": "a.txt", "lines": [1, 2,], "all": true,}', meant: DEEP },
  { what: 'single quotes', text: "{'path': 'a.txt', 'lines': [1, 2], 'all': true}", meant: DEEP },
  { what: 'bare keys', text: '{path: "a.txt", lines: [1, 2], all: true}', meant: DEEP },
  { what: 'words of Python', text: '{"path": "a.txt", "lines": [1, 2], "all": True}', meant: DEEP },
  { what: 'a dict of Python', text: "{'text': 'say \"no\"', 'to': None}", meant: { text: 'say "no"', to: null } },
  { what: 'comments', text: '{"path": "a.txt", // the file\n "lines": [1, /* and */ 2], "all": true}', meant: DEEP },
  { what: 'a missing comma', text: '{"path": "a.txt"\n "lines": [1, 2] "all": true}', meant: DEEP },
  {
    what: 'missing commas between objects',
    text: '{"edits": [{"n": 1} {"n": 2}]}',
    meant: { edits: [{ n: 1 }, { n: 2 }] },
  },
  { what: 'a raw line break in a text', text: '{"text": "one\ntwo"}', meant: { text: 'one\ntwo' } },
  { what: 'raw Windows line ends and a tab', text: '{"text": "one\r\n\ttwo"}', meant: { text: 'one\r\n\ttwo' } },
  { what: 'quotes in a text', text: '{"text": "he said "yes" to it"}', meant: { text: 'he said "yes" to it' } },
  { what: 'typographic quotes', text: '{“path”: “a.txt”}', meant: PATH },
  { what: 'a pattern with one backslash', text: String.raw`{"pattern": "\d+\.\w"}`, meant: { pattern: '\\d+\\.\\w' } },
  { what: 'a Windows path', text: String.raw`{"path": "C:\Users\me"}`, meant: { path: 'C:\\Users\\me' } },
  { what: 'a pattern and a trailing comma', text: String.raw`{"pattern": "\s*$",}`, meant: { pattern: '\\s*$' } },
  { what: 'an escaped single quote in single quotes', text: String.raw`{'text': 'it\'s'}`, meant: { text: "it's" } },
  { what: 'text in three quotes', text: '{"text": """a "b"\nc"""}', meant: { text: 'a "b"\nc' } },
  { what: 'numbers of JavaScript', text: '{"n": +1, "m": .5, "k": 0x10}', meant: { n: 1, m: 0.5, k: 16 } },
  { what: 'braces and brackets in a text', text: "{'text': '}]{[', 'n': 1}", meant: { text: '}]{[', n: 1 } },
  {
    what: 'a comment sign in a text',
    text: "{'url': 'https://example.com/*'}",
    meant: { url: 'https://example.com/*' },
  },
  { what: 'keys that are numbers, a trailing comma', text: '{"2": "b", "1": "a",}', meant: { 1: 'a', 2: 'b' } },
  { what: 'a path whose separators are escapes too', text: String.raw`{"path": "C:\Work\new"}`, meant: 'unclear' },
  { what: 'a quote that may be the end', text: '{"text": "say "no", or not", "n": 1}', meant: 'unclear' },
  { what: 'two objects', text: '{"path": "a.txt"}\n{"path": "b.txt"}', meant: 'unclear' },
  { what: 'an ellipsis', text: '{"lines": [1, 2, ...]}', meant: 'unclear' },
  { what: 'an expression', text: '{"text": "a" + name}', meant: 'unclear' },
  { what: 'a call of Python', text: 'read(path="a.txt")', meant: 'unclear' },
  { what: 'equal keys', text: "{'path': 'a.txt', 'path': 'b.txt'}", meant: 'unclear' },
  { what: 'a key that reaches prototypes', text: "{'__proto__': {'admin': true}}", meant: 'unclear' },
  { what: 'prose', text: 'I do not need any arguments.', meant: 'unclear' },
  { what: 'nothing', text: ' ', meant: 'unclear' },
  { what: 'cut in a text', text: '{"path": "a.txt", "text": "half of', meant: 'cut' },
  { what: 'cut in a key', text: '{"path": "a.txt", "li', meant: 'cut' },
  { what: 'cut behind a value', text: '{"path": "a.txt", "lines": [1, 2]', meant: 'cut' },
  { what: 'cut behind a colon', text: '{"path": "a.txt", "lines":', meant: 'cut' },
]
