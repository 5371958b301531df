import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { suspiciousPhrases } from '@/lib/engines/runtime/call/suspicious-phrases'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { makePdf, pagesOf } from '@/tests/support/make-pdf'
import { memoryWeb } from '@/tests/support/memory-web'
import { type Served, sends, startWebServer } from '@/tests/support/web-server'
import { html } from '@/tests/support/web-sites'
import fetchUrl from '../builtin/fetch-url'

const words = 'These words are the text of the page, and there are enough. '.repeat(6).trim()
/** The same in a PDF, with a line for each sentence. */
const lines = words.replaceAll('. ', '.) Tj 0 14 Td (')
const script = '<script src="/app.js"></script>'
/** A page that streams: its parts come hidden, and a script moves each to its place. */
const streamed = `<!doctype html><html><body><h1>Shop</h1><!--$?--><template id="B:0"></template><p>Loading…</p>
  <!--$?--><template id="B:7"></template>Inner fallback<!--/$--><!--/$--><p>Foot</p>
  <div hidden id="S:0"><p>First part. <template id="P:2"></template></p><!--$?--><template id="B:1"></template>Loading
  more…<!--/$--></div><div hidden id="S:1"><p>Second part.</p></div><div hidden id="S:2"><b>Placed.</b></div>
  <div hidden id="S:9"><p>Nobody names this part.</p></div><script>$RC("B:0","S:0");$RC("B:1","S:1")</script>`

const scanned = (texts: readonly string[]) =>
  makePdf([
    ...pagesOf(texts),
    [90, { dict: '/Type /XObject /Subtype /Image /Width 1 /Height 1', data: 'x' }],
  ])
const pdf = (content: Uint8Array) => sends(content, { 'content-type': 'application/pdf' })

const pages: Record<string, Served> = {
  '/web-forms': html(`<html><body><form method="post" action="./Page.aspx" id="form1">
    <input type="hidden" name="__VIEWSTATE" value="state"><h1>News</h1><p>${words}</p><label>Your name</label>
    <select><option>Red<option>Blue</select><textarea>typed</textarea><button>Send</button></form></body></html>`),
  '/article-in-form':
    html(`<html><body><form><nav>${'<a href="/m">Menu</a> '.repeat(5)}</nav><fieldset><article>
    <h1>Head</h1>${`<p>${words}</p>`.repeat(4)}</article></fieldset></form></body></html>`),
  '/streamed': html(streamed),
  '/streamed-in-circles': html(
    '<html><body><template id="B:0"></template><p>Start</p><div hidden id="S:0">a<template id="B:1"></template></div><div hidden id="S:1">b<template id="B:0"></template><template id="B:1"></template></div>',
  ),
  '/cut-stream': html(
    `<html><body><p>${words}</p><!--$?--><template id="B:0"></template><p>Loading…</p><!--/$-->`,
  ),
  '/faded': html(
    `<html><body><h1>Welcome</h1><section style="opacity:0;transform:translateY(20px)"><h2>Prices</h2><p>Twelve euros.</p></section><p>Foot</p><p style="opacity: 0.001">Small print</p></body></html>`,
  ),
  '/faded-body': html(`<html><body style="opacity: 0"><p>${words}</p></body></html>`),
  '/unshown-body': html(`<html><body style="display:none"><p>Shown later.</p></body></html>`),
  '/odd-styles': html(
    [
      ...['display:/**/none', 'd\\69splay:none', 'font:0/0 a', 'font-size:.1px'].map(
        (style) => `<p style="${style}">Not for readers.</p>`,
      ),
      ...['opacity:+0', 'opacity:0e0', 'opacity:5%', 'opacity:-1', 'opacity:0/**/'].map(
        (style) => `<p style="${style}">Faded</p>`,
      ),
      ...['filter:opacity(0)', 'transform:scale(0)'].map(
        (style) => `<p style="${style}">Faded</p>`,
      ),
      `<p style="opacity:.8;font:10px/1 a;font-size:.8em;transform:scale(1.5)">${words}</p>`,
    ].join(''),
  ),
  '/many-places': html(
    `<p>${words}</p>${Array.from({ length: 20_000 }, (_, at) => `<template id="B:${at.toString(16)}"></template><i hidden id="S:${at.toString(16)}">x</i>`).join('')}`,
  ),
  '/fill': html('<html><body><p style="fill-opacity:0">Still seen</p></body></html>'),
  '/hidden': html(
    `<html><body><p>${words}</p><p style="display:none">Not for readers.</p><p hidden>Nor this.</p></body></html>`,
  ),
  '/script-only': html(`<html><body><div id="root"></div>${script}</body></html>`),
  '/data-only': html(
    '<html><body><p>One.</p><script type="application/ld+json">{}</script></body></html>',
  ),
  '/pictures': html(
    '<html><body><img src="1.png"><img src="2.png" alt="Menu of the day"></body></html>',
  ),
  '/frames': html(
    '<html><frameset cols="*,*"><frame src="menu.html"><frame src="/main.html"></frameset></html>',
  ),
  '/refresh': html(
    '<html><head><meta http-equiv="Refresh" content="0; URL=\'/new/place\'"></head><body></body></html>',
  ),
  '/short': html('<html><body><p>One line.</p></body></html>'),
  '/empty': html(''),
  '/no-body': html('<main><h1>Head</h1><p>A paragraph.</p></main>'),
  '/no-body-long': html(
    `<!doctype html><title>Long</title><main>${`<p>${words}</p>`.repeat(4)}</main>`,
  ),
  '/no-body-open-head': html('<html lang="en"><head><title>T</title><p>A paragraph.'),
  '/after-html': html('<html><body><p>Inside.</p></body></html><p>Afterwards.</p>'),
  '/two-pages': html(
    '<html><body><p>One.</p></body></html><html><head><title>B</title></head><body><p>Two.</p></body></html>',
  ),
  '/behind-a-dialog': html('<html><body aria-hidden="true"><p>Behind it.</p></body></html>'),
  '/shadow': html(
    '<html><body><x-card><template shadowrootmode="open"><p>In the card.</p></template></x-card><template>Not used.</template></body></html>',
  ),
  '/around': html(
    `<html><body><div class="sidebar">${'<a href="/m">A menu entry</a> '.repeat(4)}</div><article>${`<p>${words}</p>`.repeat(4)}</article></body></html>`,
  ),
  '/many':
    html(`<html><body>${'<p>a</p>'.repeat(31_000)}<p style="display:none">Not for readers.</p>
    <form><p>In a form.</p></form><p style="opacity:0">Faded in.</p></body></html>`),
  '/scanned.pdf': pdf(scanned(['', '', ''])),
  '/stamped.pdf': pdf(scanned(['Scanned by A', 'Scanned by A'])),
  '/partly.pdf': pdf(scanned([lines, ''])),
  '/text.pdf': pdf(makePdf(pagesOf([lines]))),
}

let server: Awaited<ReturnType<typeof startWebServer>>
beforeAll(async () => {
  server = await startWebServer(pages)
})
afterAll(() => server.close())

async function fetch(path: string, start = 0) {
  const url = server.origin + path
  const { content, leftOut } = await callToolDirectly(
    fetchUrl,
    { url, start },
    { web: memoryWeb([server.origin]) },
  )
  return { ...Object(content), leftOut, whole: JSON.stringify(content) }
}

const entry = (what: RegExp, why: RegExp) => ({
  what: expect.stringMatching(what),
  why: expect.stringMatching(why),
})

describe('the text of a form stays, and its controls go', () => {
  test('of a page that stands in one form', async () => {
    const { text, leftOut } = await fetch('/web-forms')
    expect(text).toContain(words)
    expect(text).toContain('# News')
    expect(text).toContain('Your name')
    expect(text).not.toMatch(/Red|typed|Send|state/)
    expect(leftOut).toEqual([entry(/^16 characters$/, /buttons, in lists and in fields/)])
  })

  test('also where the article of the page stands in one', async () => {
    expect((await fetch('/article-in-form')).text).toContain(words)
  })
})

describe('parts that a page streams stand at the places that name them', () => {
  test('instead of what is shown while they load, and no other hidden part is shown', async () => {
    const { text, leftOut, whole } = await fetch('/streamed')
    expect(text).toBe('# Shop\n\nFirst part. **Placed.**\n\nSecond part.\n\nFoot')
    expect(whole).not.toMatch(/Loading|fallback|Nobody/)
    expect(leftOut).toEqual([
      entry(/^23 characters$/, /hides them/),
      entry(/1 script/, /JavaScript/),
    ])
  })

  test('parts that name each other in a circle end', async () => {
    expect((await fetch('/streamed-in-circles')).text).toContain('Start')
  })

  test('a part that never came is left out with its reason', async () => {
    const { leftOut } = await fetch('/cut-stream')
    expect(leftOut).toEqual([entry(/^1 part of the page$/, /JavaScript/)])
  })
})

describe('text that the page does not show at first', () => {
  test('is returned apart from what readers see, and flagged', async () => {
    const { text, hiddenText, leftOut, whole } = await fetch('/faded')
    expect(text).toBe('# Welcome\n\nFoot')
    expect(hiddenText).toBe('## Prices\n\nTwelve euros.\n\nSmall print')
    expect(suspiciousPhrases(whole)).toEqual(['hidden-text'])
    expect(leftOut).toEqual([])
  })

  test('is never in the text, wherever a part begins', async () => {
    const { characters } = await fetch('/faded')
    for (let start = 0; start <= characters; start += 4) {
      const { text, hiddenText = '' } = await fetch('/faded', start)
      const whole = '# Welcome\n\nFoot\n\n## Prices\n\nTwelve euros.\n\nSmall print'
      expect(text).toBe(whole.slice(start, 15))
      expect(hiddenText).toBe(whole.slice(Math.max(17, start)))
    }
  })

  it.each(['/faded-body', '/unshown-body'])('%s: the whole page', async (path) => {
    const { text, hiddenText } = await fetch(path)
    expect(text).toBe('')
    expect(hiddenText).toMatch(/^(?:These words|Shown later)/)
  })

  test('is no text whose shapes alone are not filled', async () => {
    expect(await fetch('/fill')).toMatchObject({ text: 'Still seen', leftOut: [] })
  })

  test('is only counted where the page hides it for good', async () => {
    const { leftOut, whole } = await fetch('/hidden')
    expect(whole).not.toMatch(/Not for|Nor this/)
    expect(leftOut).toEqual([entry(/^25 characters$/, /hides them/)])
  })

  test('is neither shown nor lost on a page that has too much of everything', async () => {
    const { characters } = await fetch('/many')
    const { text, hiddenText, leftOut } = await fetch('/many', characters - 30)
    expect(text).toMatch(/\na\nIn a form\.$/)
    expect(hiddenText).toBe('Faded in.')
    expect(leftOut).toContainEqual(entry(/^16 characters$/, /hides them/))
  })
})

describe('a page with little text says why', () => {
  it('knows what a style hides, however it is written', async () => {
    const { text, hiddenText } = await fetch('/odd-styles')
    expect(text).toBe(words)
    expect(hiddenText).toBe(Array(7).fill('Faded').join('\n\n'))
  })

  it('reads a page with more places for parts than any page has', async () => {
    const { text, leftOut } = await fetch('/many-places')
    expect(text).toContain(words)
    expect(leftOut[0]?.what).toMatch(/^19.000 parts of the page$/)
  })

  it.each([
    ['/script-only', '', [entry(/1 script/, /JavaScript/)]],
    ['/pictures', 'Menu of the day', [entry(/^2 images$/, /text in images/)]],
    ['/data-only', 'One.', []],
    ['/short', 'One line.', []],
    ['/empty', '', []],
  ])('%s', async (path, text, leftOut) => {
    expect(await fetch(path)).toMatchObject({ text, leftOut })
  })

  test('a page that only leads to others gives their addresses', async () => {
    const found = [await fetch('/frames'), await fetch('/refresh')]
    const [frames, refresh] = found.map(({ text }) => text.match(/\(([^)]+)\)/g))
    expect(frames).toEqual([`(${server.origin}/menu.html)`, `(${server.origin}/main.html)`])
    expect(refresh).toEqual([`(${server.origin}/new/place)`])
    expect(found.map(({ leftOut }) => leftOut)).toEqual([
      [entry(/^2 pages$/, /frame/)],
      [entry(/^1 page$/, /leads/)],
    ])
  })

  it.each([
    ['/scanned.pdf', '', [entry(/^3 of 3 pages$/, /text in images/)]],
    ['/stamped.pdf', 'Scanned by A\n\nScanned by A', [entry(/^images$/, /text in images/)]],
    ['/partly.pdf', 'These words', [entry(/^1 of 2 pages$/, /text in images/)]],
    ['/text.pdf', 'These words', []],
  ])('%s', async (path, text, leftOut) => {
    expect(await fetch(path)).toMatchObject({ text: expect.stringMatching(text), leftOut })
  })
})

describe('a page without its usual tags is read', () => {
  it.each([
    ['/no-body', '# Head\n\nA paragraph.'],
    ['/no-body-long', Array(4).fill(words).join('\n\n')],
    ['/no-body-open-head', 'A paragraph.'],
    ['/after-html', 'Inside.\n\nAfterwards.'],
    ['/two-pages', 'One.\n\nTwo.'],
    ['/behind-a-dialog', 'Behind it.'],
    ['/shadow', 'In the card.'],
  ])('%s', async (path, text) => {
    expect(await fetch(path)).toMatchObject({ text, leftOut: [] })
  })
})

test('text around an article is left out with its size', async () => {
  const { text, leftOut } = await fetch('/around')
  expect(text).not.toContain('menu entry')
  expect(leftOut).toEqual([entry(/^52 characters$/, /outside the article/)])
})
