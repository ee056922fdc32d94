import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { PICTURES } from "../scripts/pictures/picture-list.ts";
import { smallPng } from "../scripts/pictures/small-png.ts";
import { ROOT } from "./architecture/source-tree.ts";

const FOLDER = join(ROOT, "docs/pictures");
const MOST_BYTES = 1_000_000;
const PNG_SIGNATURE = "89504e470d0a1a0a";

/** Files that a page shows as pictures, from the root of the tree. */
function shownIn(path: string): string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const links = [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)|<img src="([^"]+)"/g)];
  return links.map(([, markdown, html]) => relative(ROOT, join(ROOT, dirname(path), markdown ?? html ?? "")));
}

const files = PICTURES.map(({ name }) => `docs/pictures/${name}.png`).toSorted();

test("docs/dashboard.md shows each picture that the script takes, and no other", () => {
  expect(shownIn("docs/dashboard.md").toSorted()).toEqual(files);
});

test("README.md shows one of them before its first commands", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  expect(shownIn("README.md")).toHaveLength(1);
  expect(files).toEqual(expect.arrayContaining(shownIn("README.md")));
  expect(readme.indexOf("docs/pictures/")).toBeLessThan(readme.indexOf("```"));
});

test("the pictures are there, are PNG files, and are small together", () => {
  const names = readdirSync(FOLDER);
  expect(names.map((name) => `docs/pictures/${name}`).toSorted()).toEqual(files);
  const heads = names.map((name) => readFileSync(join(FOLDER, name)).toString("hex", 0, 8));
  expect(new Set(heads)).toEqual(new Set([PNG_SIGNATURE]));
  expect(names.reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0)).toBeLessThan(MOST_BYTES);
});

const SIZE = { width: 3, height: 5 };
const colourAt = (x: number, y: number): readonly number[] => [x * 60, y * 40, (x + y) % 2 === 0 ? 255 : 7];

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(body.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** A picture as a browser writes it, with rows that follow from the rows above by each of PNG's filters. */
function filteredPng(): Buffer {
  const rows = Array.from({ length: SIZE.height }, (_, y) =>
    Array.from({ length: SIZE.width }, (__, x) => colourAt(x, y)).flat(),
  );
  const at = (y: number, place: number): number => (place < 0 ? 0 : (rows[y]?.[place] ?? 0));
  const guess = (filter: number, y: number, place: number): number => {
    const [left, above, corner] = [at(y, place - 3), at(y - 1, place), at(y - 1, place - 3)];
    const near = [left, above, corner].toSorted(
      (a, b) => Math.abs(left + above - corner - a) - Math.abs(left + above - corner - b),
    );
    return [0, left, above, Math.floor((left + above) / 2), near[0] ?? 0][filter] ?? 0;
  };
  const filtered = rows.flatMap((row, y) => [y, ...row.map((value, place) => (value - guess(y, y, place)) & 0xff)]);
  const header = Buffer.from([0, 0, 0, SIZE.width, 0, 0, 0, SIZE.height, 8, 2, 0, 0, 0]);
  const signature = Buffer.from(PNG_SIGNATURE, "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.from(filtered)))]);
}

test("a small picture has the colours of the picture", () => {
  const png = smallPng(filteredPng());
  const bodyOf = (name: string): Buffer => {
    const start = png.indexOf(name);
    return png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4));
  };
  const [palette, rows] = [bodyOf("PLTE"), inflateSync(bodyOf("IDAT"))];
  const shown = (x: number, y: number): number[] => {
    const place = rows[y * (SIZE.width + 1) + 1 + x] ?? 0;
    return [...palette.subarray(place * 3, place * 3 + 3)];
  };
  const places = Array.from(
    { length: SIZE.width * SIZE.height },
    (_, index) => [index % SIZE.width, Math.floor(index / SIZE.width)] as const,
  );
  expect(places.map(([x, y]) => shown(x, y))).toEqual(places.map(([x, y]) => [...colourAt(x, y)]));
});
