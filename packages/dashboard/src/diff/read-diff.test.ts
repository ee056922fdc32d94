import * as fc from "fast-check";
import { expect, test } from "vitest";
import { commentText } from "./comment-text.ts";
import { readDiff, readGitPath } from "./read-diff.ts";

const DIFF = `diff --git a/src/a.js b/src/a.js
index 1..2 100644
--- a/src/a.js
+++ b/src/a.js
@@ -1,3 +1,4 @@ function a() {
 one
--- two
+++ two
+three
 four
\\ No newline at end of file
diff --git a/old.txt b/new name.txt
similarity index 90%
rename from old.txt
rename to new name.txt
--- a/old.txt
+++ b/new name.txt\t
@@ -7 +7 @@
-x
+y
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/pic.png b/pic.png
new file mode 100644
Binary files /dev/null and b/pic.png differ
`;

test("files, hunks and numbers of lines are read, and lines that look like heads are lines", () => {
  const [changed, moved, gone, binary] = readDiff(DIFF);
  expect(changed).toEqual({
    path: "src/a.js",
    from: null,
    change: "changed",
    hunks: [
      {
        around: "function a() {",
        lines: [
          { kind: "same", text: "one", before: 1, after: 1 },
          { kind: "del", text: "-- two", before: 2, after: null },
          { kind: "add", text: "++ two", before: null, after: 2 },
          { kind: "add", text: "three", before: null, after: 3 },
          { kind: "same", text: "four", before: 3, after: 4 },
          { kind: "note", text: " No newline at end of file", before: null, after: null },
        ],
      },
    ],
  });
  expect(moved).toMatchObject({
    path: "new name.txt",
    from: "old.txt",
    hunks: [{ lines: [{ before: 7 }, { after: 7 }] }],
  });
  expect(gone).toMatchObject({ path: "gone", change: "deleted" });
  expect(binary).toEqual({ path: "pic.png", from: null, change: "binary", hunks: [] });
});

test("a path in quotes has its bytes back", () => {
  expect(readGitPath('"b/gr\\303\\274n \\"x\\"\\t<img>.txt"')).toBe('b/grün "x"\t<img>.txt');
  expect(readGitPath("plain")).toBe("plain");
});

test("any text can be read", () => {
  const line = fc.constantFrom(
    "diff --git a/x b/x",
    "@@ -1,2 +3 @@",
    "+++ b/y",
    "--- /dev/null",
    "+a",
    "-b",
    " c",
    "\\",
    "",
  );
  const anyText = fc.array(fc.oneof(line, fc.string())).map((lines) => lines.join("\n"));
  const drawn = (text: string): number =>
    readDiff(text).flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines)).length;
  expect(fc.check(fc.property(anyText, (text) => drawn(text) <= text.split("\n").length)).failed).toBe(false);
});

test("comments name their place and quote their line", () => {
  const [file] = readDiff(DIFF);
  const [line, removed] = [file?.hunks[0]?.lines[3], file?.hunks[0]?.lines[1]];
  if (line === undefined || removed === undefined) throw new Error("no lines");
  const comments = [
    { path: "src/a.js", line, text: " why? " },
    { path: "src/a.js", line: removed, text: "keep" },
  ];
  expect(commentText(comments)).toBe(
    "Comments on your changes:\n\nIn src/a.js:3:\n> +three\nwhy?\n\nIn src/a.js, removed line 2:\n> --- two\nkeep",
  );
});
