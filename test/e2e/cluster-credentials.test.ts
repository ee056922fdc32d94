import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { inboxOf, openConnection } from "../../packages/claw/src/cluster/index.ts";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import { startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const FLAGS = ["--cluster", "team", "--out", "keys"];

const make = (workspace: Workspace, machines: string, ...more: string[]) =>
  clawJson(workspace, ["cluster-credentials", machines, ...FLAGS, ...more]);

const read = ({ cwd }: Workspace, name: string): string => readFileSync(join(cwd, "keys", name), "utf8");

describe("the credentials of a cluster", () => {
  test("are one private key for each machine and a configuration of public keys; no answer shows a key", async () => {
    const workspace = createWorkspace();
    const made = await make(workspace, "ann,bob");
    expect(made).toMatchObject({ effect: "created", machines: [{ machine: "ann" }, { machine: "bob" }] });
    const folder = join(workspace.cwd, "keys");
    expect(readdirSync(folder).toSorted()).toEqual(["ann.nk", "bob.nk", "team.conf"]);
    const modes = ["", "ann.nk", "bob.nk"].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    const { stdout, stderr } = await runClaw(workspace, ["cluster-credentials", "ann,bob,cyd", ...FLAGS, "--yes"]);
    const shown = `${JSON.stringify(made)}${stdout}${stderr}${read(workspace, "team.conf")}`;
    for (const name of ["ann.nk", "bob.nk", "cyd.nk"]) expect(shown).not.toContain(read(workspace, name).trim());
    expect(shown).not.toMatch(/\bSU[A-Z2-7]{56}\b/);
  });

  test("are kept: the same call changes nothing, and one machine more needs a yes", async () => {
    const workspace = createWorkspace();
    await make(workspace, "ann,bob");
    const before = [read(workspace, "ann.nk"), read(workspace, "team.conf")];
    expect(await make(workspace, "ann,bob")).toMatchObject({ effect: "noop" });
    expect((await make(workspace, "ann,cyd")).error).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect([read(workspace, "ann.nk"), read(workspace, "team.conf")]).toEqual(before);
    expect(readdirSync(join(workspace.cwd, "keys"))).not.toContain("cyd.nk");
    const more = await make(workspace, "ann,cyd", "--yes");
    expect(more).toMatchObject({
      effect: "updated",
      machines: [
        { machine: "ann", status: "kept" },
        { machine: "cyd", status: "created" },
      ],
    });
    expect(read(workspace, "ann.nk")).toBe(before[0]);
    const config = read(workspace, "team.conf");
    const keys = (more["machines"] as { public_key: string }[]).map(({ public_key: key }) => config.includes(key));
    expect([keys, config.includes("# bob")]).toEqual([[true, true], false]);
  });

  test("are refused where a file holds no key or others can read it", async () => {
    const workspace = createWorkspace();
    await make(workspace, "ann");
    const file = join(workspace.cwd, "keys", "ann.nk");
    writeFileSync(file, "no key\n");
    expect((await make(workspace, "ann")).error).toMatchObject({ code: "INVALID_OUTPUT_PATH", target: file });
    const open = join(workspace.cwd, "keys", "bob.nk");
    writeFileSync(open, "", { mode: 0o644 });
    expect((await make(workspace, "bob")).error).toMatchObject({
      code: "INVALID_OUTPUT_PATH",
      message: `${open} can be read by others`,
    });
    expect((await make(workspace, "a.b")).error).toMatchObject({ code: "INVALID_FLAG_VALUE" });
  });
});

describe.skipIf(findNatsServers().length === 0)("a server with the written configuration", () => {
  test.each(findNatsServers().map(({ version, path }) => [version, path]))(
    "%s lets each machine in with its file, and refuses what a machine publishes as another",
    async (_, binary) => {
      const workspace = createWorkspace();
      await make(workspace, "ann,bob");
      const keys = join(workspace.cwd, "keys");
      const config = `include ${JSON.stringify(join("..", "keys", "team.conf"))}\n`;
      const server = await startNatsServer({ folder: join(workspace.cwd, "server"), binary, config });
      onTestFinished(() => server.kill());
      const enter = async (machine: string): Promise<NatsConnection> => {
        const connection = await openConnection({
          url: server.url,
          name: machine,
          credentials: join(keys, `${machine}.nk`),
          inboxPrefix: inboxOf("team", machine),
        });
        onTestFinished(() => connection.close());
        return connection.nats;
      };
      const [ann, bob] = [await enter("ann"), await enter("bob")];
      await (await jetstreamManager(ann)).streams.add({ name: "claw_team", subjects: ["claw.team.>"] });
      expect((await jetstream(bob).publish("claw.team.bob.x", "{}")).seq).toBe(1);
      await expect(jetstream(ann).publish("claw.team.bob.x", "{}")).rejects.toThrow(/permissions violation/i);
      expect((await (await jetstreamManager(bob)).streams.info("claw_team")).state.messages).toBe(1);
    },
  );

  const versions = findNatsServers().map(({ version, path }) => [version, path] as const);
  test.each(versions)(
    "%s: a daemon with the machine's key joins, and doctor says that it is held to its own subjects",
    async (_, binary) => {
      const workspace = createWorkspace();
      await make(workspace, "ann");
      const config = `include ${JSON.stringify(join("..", "keys", "team.conf"))}\n`;
      const server = await startNatsServer({ folder: join(workspace.cwd, "server"), binary, config });
      onTestFinished(() => server.kill());
      const bus = {
        url: server.url,
        cluster: "team",
        machine: "ann",
        credentials: join(workspace.cwd, "keys", "ann.nk"),
      };
      mkdirSync(join(workspace.home, ".claw"), { recursive: true });
      writeFileSync(join(workspace.home, ".claw", "settings.json"), JSON.stringify({ bus }));
      await startDaemon(workspace);
      expect(await clawJson(workspace, ["publish", "note.x", '{"n":1}'])).not.toHaveProperty("error");
      const { checks } = await clawJson(workspace, ["doctor"]);
      const rows = (checks as { id: string; status: string; summary: string }[]).filter(({ id }) =>
        id.startsWith("nats"),
      );
      expect(rows.map(({ id }) => id.slice("nats-".length))).toEqual([
        "version",
        "jetstream",
        "limits",
        "replicas",
        "sync",
        "clock",
        "permissions",
      ]);
      expect(rows.at(-1)).toMatchObject({ status: "ok", summary: "the servers hold this machine to its own subjects" });
      await server.kill();
      const gone = await clawJson(workspace, ["doctor"]);
      expect(JSON.stringify(gone)).toContain('"id":"nats","name":"NATS","status":"fail"');
    },
  );
});
