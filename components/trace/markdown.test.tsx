import { render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from './markdown'

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
