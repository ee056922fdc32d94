import { expect, test } from "vitest";
import { htmlText } from "./html-text.ts";

test.each([
  ["plain", "plain"],
  ["a<br>b", "a\nb"],
  ["<p>a</p><p>b", "a\n\nb"],
  ["<script>x", ""],
  ["<SCRIPT>x</SCRIPT >y", "y"],
  ["<a title=\"x > y\" href='https://e.org/?a=1&amp;b'>t</a>", "t (https://e.org/?a=1&b)"],
  ["<a href='javascript:x'>t</a>", "t"],
  ["&#0;&#xD800;&unknown;&amp;lt;", "\uFFFD\uFFFD&unknown;&lt;"],
  ["a < b and c > d", "a < b and c > d"],
  ["<!-- never ends", ""],
  ["<table><tr><td>1<td>2</table>", "| 1 | 2"],
  ["", ""],
  ["<a href=https://e.org/x/>t</a>", "t (https://e.org/x/)"],
  ["<a href='/a' href='/b'>t</a>", "t (/a)"],
  ["&euro;&copy &#x1F642;&nbsp;x", "€© 🙂 x"],
  ["<svg><p>no</p></svg>a<svg/>b", "ab"],
  ["<script>'<p>'</script>a<head><title>no</title></head>b", "ab"],
])("%j reads as %j", (html, text) => {
  expect(htmlText(html)).toBe(text);
});

test.each([
  "<",
  "<a ",
  "<a href='",
  "<!--",
  "&",
  "<script>",
  "</a>",
  '<a x="',
  "<b><i>",
  "<svg>",
  "</b>",
  "<table><tr><td>",
])("much of %j is read to its end", (piece) => {
  expect(typeof htmlText(piece.repeat(100_000))).toBe("string");
});
