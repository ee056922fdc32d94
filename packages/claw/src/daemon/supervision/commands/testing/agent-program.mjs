// A program that draws its prompt and its questions as Claude Code does, and behaves by its first argument. Everything it
// is given is kept, as bytes, in the file that is its second; "approved" is added to it when a key answered a question.
// The third is a file whose coming ends what keeps the prompt from being open; the fourth one whose coming asks something.
import { appendFileSync, existsSync, watchFile, writeFileSync } from "node:fs";

const [mode = "prompt", record = "/dev/null", gate = "", asking = ""] = process.argv.slice(2);
const PASTE = ["\u001b[200~", "\u001b[201~"];
const LOOK_MS = 20;
const columns = process.stdout.columns;
const rule = "─".repeat(columns);
const said = ["✻ An agent"];
let isHindered = true;
let isAsking = mode === "question";
let text = mode === "draft" ? "a draft of mine" : "";
let pending = "";
let isPasting = false;

const shown = () => (mode === "mark" && text !== "" ? `[Pasted text #1 +${text.split("\n").length - 1} lines]` : text);

function rows() {
  if (isAsking) return [rule, " Write the file?", " ❯ 1. Yes", "   2. No", "", " Esc to cancel"];
  if (mode === "unknown" && isHindered) return ["loading"];
  const atWork = mode === "at-work" && isHindered ? " · esc to interrupt" : "";
  return [
    rule,
    ...shown()
      .split("\n")
      .map((line, at) => `${at === 0 ? "❯ " : "  "}${line}`),
    rule,
    `  ?${atWork}`,
  ];
}

function draw() {
  const bottom = rows();
  const cursorRow = bottom.findLastIndex((row) => row === rule) - 1;
  const at = cursorRow < 0 ? 0 : cursorRow;
  const last = Array.from(bottom[at] ?? "").length;
  const place = `\u001b[${said.length + at + 1};${isAsking ? 2 : last + 1}H`;
  process.stdout.write(`\u001b[2J\u001b[H${[...said, ...bottom].join("\r\n")}${place}`);
}

function paste(piece) {
  if (isAsking || mode === "swallows") return;
  if (mode === "echoes") said.push(...piece.split("\n"));
  else text += piece;
  if (mode === "asks-on-paste") isAsking = true;
}

function press(key) {
  if (isAsking && key === "\r") appendFileSync(record, "approved");
  else if (key === "\r") {
    said.push(`took ${JSON.stringify(text)}`);
    text = "";
  }
}

/** Splits what came into pastes and keys. */
function feed(chunk) {
  pending += chunk;
  while (pending !== "") {
    const mark = PASTE[isPasting ? 1 : 0];
    const at = pending.indexOf(mark);
    if (isPasting && at < 0) return;
    const piece = pending.slice(0, at < 0 ? pending.length : at);
    pending = at < 0 ? "" : pending.slice(at + mark.length);
    if (isPasting) paste(piece);
    else for (const key of piece) press(key);
    if (at >= 0) isPasting = !isPasting;
  }
}

function when(file, act) {
  if (file === "") return;
  watchFile(file, { interval: LOOK_MS }, () => {
    if (!existsSync(file)) return;
    act();
    draw();
  });
}

writeFileSync(record, "");
when(gate, () => {
  isHindered = false;
  isAsking = false;
  if (mode === "draft") text = "";
});
when(asking, () => (isAsking = true));
process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  appendFileSync(record, bytes);
  feed(bytes.toString());
  draw();
});
process.stdout.write("\u001b[?2004h");
draw();
