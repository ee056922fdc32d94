"use strict";
const { load } = require("./claw.cjs");

/** A part of claw that is a process of its own: `node part.cjs worker …`. */
const [part] = process.argv.splice(2, 1);
load(`${part}.cjs`);
