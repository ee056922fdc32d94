const TOKEN =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANK = /[ \t\r\n]*/y;

type Expecting = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "nothing";

interface Reader {
  readonly open: ("{" | "[")[];
  expecting: Expecting;
}

const afterValue = ({ open }: Reader): Expecting => (open.length === 0 ? "nothing" : "comma-or-end");

function openBracket(reader: Reader, bracket: "{" | "["): boolean {
  if (reader.expecting !== "value" && reader.expecting !== "value-or-end") return false;
  reader.open.push(bracket);
  reader.expecting = bracket === "{" ? "key-or-end" : "value-or-end";
  return true;
}

function end(reader: Reader, bracket: "{" | "["): boolean {
  const empty = bracket === "{" ? "key-or-end" : "value-or-end";
  const complete = reader.expecting === "comma-or-end" || reader.expecting === empty;
  if (!complete || reader.open.at(-1) !== bracket) return false;
  reader.open.pop();
  reader.expecting = afterValue(reader);
  return true;
}

function scalar(reader: Reader, token: string): boolean {
  const { expecting } = reader;
  if (expecting === "key" || expecting === "key-or-end") {
    reader.expecting = "colon";
    return token.startsWith('"');
  }
  if (expecting !== "value" && expecting !== "value-or-end") return false;
  reader.expecting = afterValue(reader);
  return true;
}

/** Takes the next token; false when it cannot stand here. */
function take(reader: Reader, token: string): boolean {
  switch (token) {
    case "{":
    case "[":
      return openBracket(reader, token);
    case "}":
      return end(reader, "{");
    case "]":
      return end(reader, "[");
    case ":":
      if (reader.expecting !== "colon") return false;
      reader.expecting = "value";
      return true;
    case ",":
      if (reader.expecting !== "comma-or-end") return false;
      reader.expecting = reader.open.at(-1) === "{" ? "key" : "value";
      return true;
    default:
      return scalar(reader, token);
  }
}

/** Where a text stops being JSON; its length when something is missing at the end. */
export function jsonErrorAt(text: string): number {
  const reader: Reader = { open: [], expecting: "value" };
  for (let at = 0; ;) {
    BLANK.lastIndex = at;
    BLANK.exec(text);
    at = BLANK.lastIndex;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined || !take(reader, token)) return at;
    at += token.length;
  }
}
