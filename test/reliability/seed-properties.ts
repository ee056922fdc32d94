import { configureGlobal } from "fast-check";
import { chooseSeed } from "./random.ts";

configureGlobal({ seed: chooseSeed() });
