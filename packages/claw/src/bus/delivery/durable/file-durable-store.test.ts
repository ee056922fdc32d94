import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { durableStoreConformance } from "./durable-store.conformance.ts";
import { openDurableStore } from "./file-durable-store.ts";

const folder = (): string => join(temporaryFolder(onTestFinished), "durable");
const RECORD = { name: "a", topic: "x.*", epoch: "0001", acked: 3 };

describe("durable subscriptions in files", () => {
  durableStoreConformance(() => {
    const directory = folder();
    return { open: () => openDurableStore(directory) };
  });

  test("lie in one private file each", async () => {
    const directory = folder();
    await openDurableStore(directory).save(RECORD);
    expect(readdirSync(directory)).toEqual(["a.json"]);
    expect(statSync(join(directory, "a.json")).mode & 0o777).toBe(0o600);
  });

  test("are not disturbed by files that are none of theirs", async () => {
    const directory = folder();
    await openDurableStore(directory).save(RECORD);
    writeFileSync(join(directory, "torn.json"), '{"name":"t');
    writeFileSync(join(directory, "other.json"), "{}");
    writeFileSync(join(directory, "a.json.7.tmp"), "");
    const store = openDurableStore(directory);
    expect([store.count(), store.get("a")]).toEqual([1, RECORD]);
  });

  test("say when they cannot be saved, and go on when they can", async () => {
    const directory = folder();
    const store = openDurableStore(directory);
    rmSync(directory, { recursive: true });
    await expect(store.save(RECORD)).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
    expect([store.get("a"), store.count()]).toEqual([undefined, 0]);
    const again = openDurableStore(directory);
    await store.save({ ...RECORD, acked: 4 });
    expect([again.count(), openDurableStore(directory).get("a")?.acked]).toEqual([0, 4]);
  });

  test("that could not be saved are as they were, and saying the same again tries again", async () => {
    const directory = folder();
    const store = openDurableStore(directory);
    await store.save(RECORD);
    // A folder where a file should come makes every attempt fail.
    mkdirSync(join(directory, `a.json.${process.pid}.tmp`));
    const later = { ...RECORD, acked: 9 };
    await expect(Promise.all([store.save(later), store.save(later)])).rejects.toMatchObject({
      code: "FILESYSTEM_ERROR",
    });
    expect(store.get("a")).toEqual(RECORD);
    rmSync(join(directory, `a.json.${process.pid}.tmp`), { recursive: true });
    await store.save(later);
    expect(openDurableStore(directory).get("a")).toEqual(later);
  });

  test("whose files make no sense are begun anew, each of them named", async () => {
    const directory = folder();
    await openDurableStore(directory).save(RECORD);
    const junk = ["", "null", "{", "[]", '{"name":1}', '{"name":"x","topic":"y","epoch":"0001","acked":"z"}'];
    for (const [at, text] of junk.entries()) writeFileSync(join(directory, `junk${at}.json`), text);
    mkdirSync(join(directory, "folder.json"));
    writeFileSync(join(directory, "b.json.1.tmp"), "half");
    const problems: string[] = [];
    const store = openDurableStore(directory, (problem) => void problems.push(problem));
    expect([store.count(), store.get("a"), problems.length]).toEqual([1, RECORD, junk.length + 1]);
    expect(readdirSync(directory)).not.toContain("b.json.1.tmp");
  });
});
