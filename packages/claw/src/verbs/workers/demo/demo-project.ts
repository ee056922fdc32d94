/** A small project with something left to do in it: what four agents work on in the demonstration. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Prices\n\nAdds up what is in a basket.\n",
  "package.json": '{ "name": "prices", "private": true, "type": "module" }\n',
  "src/total.js": `/** What a basket costs, in cents. */
export function total(basket) {
  return basket.reduce((sum, { price, count }) => sum + Math.floor(price * count), 0);
}
`,
  "test/total.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("half a cent is rounded up", () => {
  assert.equal(total([{ price: 10.5, count: 1 }]), 11);
});
`,
  "build/old.js": "// Left over from an earlier build.\n",
};
