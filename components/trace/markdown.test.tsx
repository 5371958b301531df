import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { longAnswers } from '@/tests/support/long-answers'
import { Markdown, WholeMarkdown } from './markdown'

const nested = (depth: number) =>
  Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- level ${level}`).join('\n')

describe('an answer in Markdown', () => {
  it('is formatted, its headings below those of the trace', () => {
    const { container } = render(
      <Markdown text={'# Result\n\n**3** of `4`\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n3. third'} />,
    )
    expect(screen.getByRole('heading', { level: 4 }).textContent).toBe('Result')
    expect(container.querySelector('strong')?.textContent).toBe('3')
    expect(container.querySelector('code')?.textContent).toBe('4')
    expect(screen.getAllByRole('cell').map((cell) => cell.style.textAlign)).toEqual(['', 'right'])
    expect(container.querySelector('ol')?.getAttribute('start')).toBe('3')
  })

  it('shows raw HTML, images and addresses of other kinds as words', () => {
    const { container } = render(
      <Markdown
        text={
          'a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>\n\n![cat](https://x.example/c.png) [go](javascript:alert(1)) [page](https://x.example/p "title")'
        }
      />,
    )
    expect(container.querySelector('img, script, [title], [onerror]')).toBe(null)
    expect(container.textContent).toContain('<img src=x onerror=alert(1)>')
    expect(container.textContent).toContain('<script>alert(1)</script>')
    expect(container.textContent).toContain('[image: cat (https://x.example/c.png)]')
    expect(container.textContent).toContain('go (javascript:alert(1))')
    const links = screen.getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['page (https://x.example/p)', 'https://x.example/p'],
    ])
  })

  it.each(['391.', '1)', '-'])(
    'shows a lone "%s" as it is, and as a list once it has words',
    (text) => {
      const { container, rerender } = render(<Markdown text={text} />)
      expect(container.textContent).toBe(text)
      expect(container.querySelector('li')).toBe(null)
      rerender(<Markdown text={`${text} km`} />)
      expect(container.querySelector('li')?.textContent?.trim()).toBe('km')
    },
  )

  it('is plain text where it is nested too deep, in the browser and on the server', () => {
    const text = nested(60)
    const { container } = render(<Markdown text={text} />)
    expect(container.querySelector('li')).toBe(null)
    expect(container.textContent).toContain('level 59')
    expect(renderToString(<Markdown text={text} />)).toContain('level 59')
    const shallow = render(<Markdown text={nested(5)} />)
    expect(shallow.container.querySelectorAll('li').length).toBe(5)
  })
})

/** The frames around blocks and the looks are not what the parser decides. */
const structure = (html: string) =>
  html
    .replace(/<\/?bdi>| class="[^"]*"/g, '')
    .replace(/<\/?div>/g, '\n')
    .replace(/\s*(<\/?(?:h\d|p|[uo]l|li|blockquote|section|table|t\w+|hr)\b[^>]*>)\s*/g, '$1')
    .replace(/\n+(<\/code>)/g, '$1')
    .replace(/\n+/g, '\n')
    .trim()

const lines = fc.constantFrom(
  '',
  '',
  '- a',
  '- b **c**',
  '* d',
  '1. e',
  '2. f',
  '3) g',
  '  h',
  '   i',
  '    j',
  '  - k',
  '   - l',
  '```',
  '  ```',
  '~~~',
  '# m',
  '> n',
  '> - o',
  'p',
  'q *r',
  's* t',
  '`u v',
  'w` x',
  '| a | b |',
  '|---|:-:|',
  '| c | d',
  '|e|',
  '---',
  '===',
  '- [ ] y',
  '- [x] z',
  '-',
  '* * *',
  '<b>',
  'l [m](https://x.example/) n',
  '[o',
  'p](https://y.example/)',
  '\\',
  'u  ',
  'a_b_c',
  '1 * 2',
)
const long = fc
  .constantFrom(1, 1, 1, 40)
  .map((times) => 'many words, more words. '.repeat(times).trim())
const line = fc.oneof(
  lines,
  lines,
  lines,
  long,
  fc.tuple(lines, long).map((parts) => parts.join(' ')),
)

describe('an answer in pieces', () => {
  it.each([
    ['a heading above a fence', 'many words\n-\n  ```many words\n\nmore words'],
    ['a star below words', 'many words\n*\n  ```many words\n\nmore words'],
    ['an item below a heading', '# many words\n-\n  ```many words\n\nmore words'],
    [
      'a blank line in code of an item',
      '- many words, more words.\n  ```\n\n- [x] z many words, more words.',
    ],
    ['a blank line in code of a long item', `- ${'many words '.repeat(200)}\n  ~~~\n  x\n\n- a`],
    ['in code of an item in a long one', `- ${'many words '.repeat(200)}\n  - a\n    ~~~\n\n- b`],
    [
      'in code after closed code of a long item',
      `- ${'many words '.repeat(200)}\n  ~~~\n  ~~~\n\n- b`,
    ],
    [
      'in code that an item in a long one leaves open',
      `- - ${'many words '.repeat(200)}\n    ~~~\n\n  more\n- b`,
    ],
    ['a fence below words that end a list', '- [ ] y\n\n many words, more words.\n  ```\n```'],
    ['a fence below more words of an item', '* d\n`u v\n  ```\n```\nmany words'],
    ['below code in a quote of an item', '- a\n  > ```\n\n- b'],
  ])('looks as a whole: %s', (_name, text) => {
    const whole = renderToStaticMarkup(<WholeMarkdown text={text} />)
    expect(structure(renderToStaticMarkup(<Markdown text={text} />))).toBe(structure(whole))
  })

  it('looks as the parser reads it as a whole', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (chosen) => {
        const text = chosen.join('\n')
        const whole = renderToStaticMarkup(<WholeMarkdown text={text} />)
        expect(structure(renderToStaticMarkup(<Markdown text={text} />))).toBe(structure(whole))
      }),
      { numRuns: 200 },
    )
  })
})

describe('a growing answer', () => {
  const shown = (text: string) => {
    const { container, unmount } = render(<Markdown text={text} />)
    const html = container.innerHTML
    unmount()
    return html
  }

  for (const [shape, make] of Object.entries(longAnswers)) {
    it(`shows the same in batches as at once, and keeps what is complete: ${shape}`, () => {
      const text = make(3_000)
      const { container, rerender } = render(<Markdown text={text.slice(0, 1_500)} />)
      const complete = container.querySelector('li, tr, pre, p')
      for (const end of [1_501, 1_800, 2_345, 2_999, 3_000]) {
        rerender(<Markdown text={text.slice(0, end)} />)
        expect(container.innerHTML).toBe(shown(text.slice(0, end)))
      }
      expect(container.querySelector('li, tr, pre, p')).toBe(complete)
    })
  }
})
