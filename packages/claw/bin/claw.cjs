#!/usr/bin/env node
"use strict";
require("../dist/claw.cjs");
