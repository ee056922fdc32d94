import type { Attack } from "./escape-attacks.ts";
import type { Call, Place } from "./escape-scene.ts";

/** Ways to say where a folder is. */
const WAYS: readonly (readonly [name: string, way: (place: Place) => string])[] = [
  ["upwards", ({ way }) => way],
  ["absolute", ({ path }) => path],
  ["down and up", ({ way }) => `sub/../${way}`],
  ["through a folder that is not there", ({ way }) => `none/../${way}`],
  ["a link", ({ name }) => `folder-${name}`],
  ["a chain of links", ({ name }) => `sub/chain-${name}`],
  ["the kernel's root", ({ path }) => `/proc/self/root${path}`],
  ["the kernel's folder", ({ way }) => `/proc/self/cwd/${way}`],
  ["many slashes", ({ path }) => path.replaceAll("/", "//")],
];

const read = (name: string, calls: Attack["calls"], inert = false): Attack => ({ name, kind: "read", calls, inert });
const write = (name: string, calls: Attack["calls"], inert = false): Attack => ({ name, kind: "write", calls, inert });

const edit = (path: string): Call => ["edit_file", { path, old_string: "victim", new_string: "x" }];

export const FILE_ATTACKS: readonly Attack[] = [
  ...WAYS.flatMap(([name, way]): Attack[] => [
    read(`read_file, ${name}`, (place) => [["read_file", { path: `${way(place)}/canary` }]]),
    read(`grep_search, ${name}`, (place) => [
      ["grep_search", { pattern: ".", path: way(place), output_mode: "content" }],
    ]),
    write(`write_file, ${name}`, (place, file) => [["write_file", { path: `${way(place)}/${file}`, content: "x" }]]),
    write(`edit_file, ${name}`, (place, file) => [
      ["write_file", { path: `${way(place)}/${file}`, content: "victim" }],
      edit(`${way(place)}/${file}`),
    ]),
  ]),
  read("a link to a file", ({ name }) => [["read_file", { path: `file-${name}` }]]),
  read("a grep of a link", ({ name }) => [
    ["grep_search", { pattern: ".", path: `file-${name}`, output_mode: "content" }],
  ]),
  read("another name of the field", ({ path }) => [["Read", { file_path: `${path}/canary` }]]),
  write("a file in a new folder", ({ way }, file) => [["write_file", { path: `${way}/${file}/deep/x`, content: "x" }]]),
  write("a link made before", ({ path, name }, file) => [
    ["bash", { command: `ln -sfn ${path} made-${name}` }],
    ["write_file", { path: `made-${name}/${file}`, content: "x" }],
  ]),
  // Where links are not followed these find nothing, with or without a cage.
  read("a grep over links", () => [["grep_search", { pattern: ".", output_mode: "content" }]], true),
  read(
    "a grep with a glob",
    ({ way }) => [["grep_search", { pattern: ".", glob: `${way}/*`, output_mode: "content" }]],
    true,
  ),
  read("a glob upwards", ({ way }) => [["glob_search", { pattern: `${way}/*` }]], true),
  read("an edit that shows", ({ name }) => [edit(`file-${name}`)], true),
  read("NUL", ({ path }) => [["read_file", { path: `sub/a\0/../../${path}/canary` }]], true),
  read("dots that are none", () => [["read_file", { path: "\u2025/outside/canary" }]], true),
  read("a tilde of another", () => [["read_file", { path: "~root/kept/canary" }]], true),
];
