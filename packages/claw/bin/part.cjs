"use strict";
const { createLoader } = require("./claw.cjs");

/** A part of claw that is a process of its own: `node part.cjs worker …`. */
const [part] = process.argv.splice(2, 1);
createLoader(part)(`${part}.cjs`);
