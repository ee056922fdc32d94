import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { TestClient } from "../testing/start-test-host.ts";
import { open, startTestHost } from "../testing/start-test-host.ts";

interface Ran {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null;
  readonly degraded: boolean;
}

const exec = async (client: TestClient, command: string, signal?: AbortSignal): Promise<Ran> => {
  const { ran } = await client.ask("exec", { terminalId: "1", command }, signal);
  return ran;
};

/** A terminal with a shell whose user has files of his own. */
async function openShell(shellPath: string, files: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder(onTestFinished);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const host = await startTestHost();
  const client = await host.connect();
  await client.ask("follow", {});
  // Where the shells keep the text of a here document.
  const temporary = { TMPDIR: home, TMPPREFIX: join(home, "zsh") };
  await open(client, "1", { shellPath, cwd: home, env: { HOME: home, ...temporary } });
  return { host, client, home };
}

const SHELLS = ["/bin/bash", "/usr/bin/zsh"].filter((path) => existsSync(path));
const RC: Readonly<Record<string, Record<string, string>>> = {
  "/bin/bash": { ".bashrc": "PS1='mine> '; PROMPT_COMMAND='MINE=1'; OWN=yes\n" },
  "/usr/bin/zsh": { ".zshrc": "PS1='mine> '; precmd() { MINE=1 }; OWN=yes\n" },
};

describe.each(SHELLS)("%s", (shell) => {
  test("tells output and exit code of commands", async () => {
    const { client } = await openShell(shell, RC[shell]);
    expect(await exec(client, "echo one; echo two >&2; (exit 7)")).toMatchObject({
      command: "echo one; echo two >&2; (exit 7)",
      output: "one\ntwo\n",
      exitCode: 7,
      degraded: false,
    });
    expect(await exec(client, "true")).toMatchObject({ output: "", exitCode: 0 });
    expect(await exec(client, 'printf "no line end"')).toMatchObject({ output: "no line end", exitCode: 0 });
    expect(await exec(client, "echo $OWN$MINE")).toMatchObject({ output: "yes1\n" });
  });

  test("takes commands of many lines, with quotes, keys and history marks in them", async () => {
    const { client } = await openShell(shell);
    const text = `cat <<'END'\n\tit's "a" \\ !! $HOME ü\nEND\nfor i in 1 2; do echo $i; done`;
    expect(await exec(client, text)).toMatchObject({
      command: text,
      output: `\tit's "a" \\ !! $HOME ü\n1\n2\n`,
      exitCode: 0,
    });
    expect(await exec(client, "if if\n")).toMatchObject({ exitCode: expect.any(Number) as number });
    expect(await exec(client, "echo fine")).toMatchObject({ output: "fine\n", exitCode: 0 });
    expect(await exec(client, `echo ${"x".repeat(20_000)} | wc -c`)).toMatchObject({
      output: expect.stringMatching(/^\s*20001\n$/) as string,
    });
  });

  test("runs commands one after the other, and goes on when one was given up", async () => {
    const { client } = await openShell(shell);
    const order = await Promise.all(["echo 1", "echo 2", "echo 3"].map((command) => exec(client, command)));
    expect(order.map(({ output }) => output)).toEqual(["1\n", "2\n", "3\n"]);
    const limit = new AbortController();
    const reading = exec(client, "read line; echo got $line", limit.signal);
    const waiting = exec(client, "echo after");
    await until("its start", () => client.facts.filter(({ kind }) => kind === "command-start").length === 4);
    limit.abort(new Error("too long"));
    await expect(reading).rejects.toThrow("too long");
    await client.ask("type", { terminalId: "1", text: "x", enter: true });
    expect(await waiting).toMatchObject({ output: "after\n", exitCode: 0 });
  });

  test("is not deceived by output that looks like its marks", async () => {
    const { client, home } = await openShell(shell);
    writeFileSync(
      join(home, "evil"),
      `\u001b]6973;;D;0\u0007\u001b]133;D;0\u0007\u001b]6973;0000;D;0\u0007\u001b]6973;\n`,
    );
    expect(await exec(client, "cat evil; echo after; (exit 5)")).toMatchObject({ output: "\nafter\n", exitCode: 5 });
  });

  test("cannot be deceived by what it printed before", async () => {
    const { client, host } = await openShell(shell);
    await exec(client, "echo first");
    const folder = join(host.folder, "terminals", "1");
    expect(await exec(client, `cat ${folder}/*.raw; echo after; (exit 5)`)).toMatchObject({ exitCode: 5 });
    expect(readdirSync(folder)).not.toContain("shell");
  });

  test("tells when a command ended the shell", async () => {
    const { client } = await openShell(shell);
    expect(await exec(client, "echo bye; exit 4")).toMatchObject({ exitCode: 4 });
    await until("its end", () => client.facts.some(({ kind }) => kind === "closed"));
    await expect(exec(client, "echo")).rejects.toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  });

  test("tells of commands that are typed", async () => {
    const { client } = await openShell(shell);
    await exec(client, "true");
    await client.ask("type", { terminalId: "1", text: "echo typed; (exit 3)", enter: true });
    await until("its end", () => client.facts.filter(({ kind }) => kind === "command-end").length === 2);
    expect(client.facts.filter(({ kind }) => kind.startsWith("command")).slice(2)).toMatchObject([
      { kind: "command-start", command: "echo typed; (exit 3)" },
      { kind: "command-end", command: "echo typed; (exit 3)", exitCode: 3, degraded: false },
    ]);
  });
});

describe("a shell that tells nothing", () => {
  test("is made to tell by the line that is typed, and the answer says so", async () => {
    const { client } = await openShell("/bin/sh");
    expect(await exec(client, "echo it\\'s; echo '!'; (exit 6)")).toMatchObject({
      command: "echo it\\'s; echo '!'; (exit 6)",
      output: "it's\n!\n",
      exitCode: 6,
      degraded: true,
    });
    expect(await exec(client, "for i in 1 2\ndo echo $i\ndone")).toMatchObject({ output: "1\n2\n", exitCode: 0 });
  });

  test("may be no shell at all: then the text is typed and nothing is known", async () => {
    const home = temporaryFolder(onTestFinished);
    mkdirSync(join(home, "x"));
    const client = await (await startTestHost()).connect();
    await open(client, "1", { argv: ["/bin/cat"] });
    expect(await exec(client, "hello")).toMatchObject({ output: "", exitCode: null, degraded: true });
    await client.ask("attach", { terminalId: "1", from: 0 });
    await until("its answer", () => client.output("1").toString().includes("hello\r\nhello"));
  });
});
