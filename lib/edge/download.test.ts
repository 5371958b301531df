import { expect, test } from 'vitest'
import { csvLine } from './download'

test('separates with commas, ends with CRLF, and quotes what needs it (RFC 4180)', () => {
  expect(csvLine(['a', null, 'b c', 'd,e', 'say "f"', 'two\nlines'])).toBe(
    'a,,b c,"d,e","say ""f""","two\nlines"\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('makes text of the formula %j', (cell) => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`)
})

test.each([
  ...'＝＋－＠﹦﹢﹣﹫',

  ' ',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\ufeff',
  '\u2060',
  '\u00ad',
  '\u202e',
  '\u2066',
  '\u0001',
  '\u0000',
])('makes text of a formula that begins with or behind %j', (first) => {
  for (const cell of [`${first}=1`, `${first}${first}@SUM(A1)`]) {
    expect(csvLine([cell])).toBe(`'${cell}\r\n`)
  }
  expect(csvLine([`x;${first}+1`])).toBe(`x;'${first}+1\r\n`)
})

test('makes text of a formula that must be quoted too', () => {
  expect(csvLine(['\rx'])).toBe('"\'\rx"\r\n')
  expect(csvLine(['=HYPERLINK("http://evil.example","x")'])).toBe(
    '"\'=HYPERLINK(""http://evil.example"",""x"")"\r\n',
  )
})

test.each([
  ['x;=HYPERLINK("http://evil.example")', `x;'=HYPERLINK(""http://evil.example"")`],
  ['x; \u00a0+1', "x;' \u00a0+1"],
  ['x\t-1|@SUM(A1)', "x\t'-1|'@SUM(A1)"],
  ['x;;=1', "x;;'=1"],
  ['x;"=1', `x;'""=1`],
  ['x\n=1', "x\n'=1"],
  ['=1;=2', "'=1;'=2"],
])('makes text of the formula in %j, which other separators would begin', (cell, text) => {
  expect(csvLine([cell])).toBe(/["\n]/.test(text) ? `"${text}"\r\n` : `${text}\r\n`)
})

test('leaves alone what only contains such a character', () => {
  expect(csvLine(['a=b', 'a-b; c|d', 'ana@example.org', ' x＝y', '\u200bx'])).toBe(
    'a=b,a-b; c|d,ana@example.org, x＝y,\u200bx\r\n',
  )
})
