import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PageFrame } from './page-frame'
import { Section } from './section'
import { SideIndex } from './side-index'

function page(titles: readonly string[]) {
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <h1>Local server</h1>
      {titles.map((title) => (
        <Section key={title} title={title}>
          Text
        </Section>
      ))}
    </PageFrame>
  )
}

const links = () =>
  screen.queryAllByRole('link').map((link) => `${link.textContent} ${link.getAttribute('href')}`)

test('the index links to the sections that the page has, also to those that come later', async () => {
  const { rerender } = render(page(['Models', 'Used by: all']))
  expect(screen.getByRole('navigation', { name: 'On this page' })).toBeInTheDocument()
  expect(links()).toEqual(['Models #models', 'Used by: all #used-by-all'])
  rerender(page(['Models', 'Keys', 'Used by: all']))
  await waitFor(() =>
    expect(links()).toEqual(['Models #models', 'Keys #keys', 'Used by: all #used-by-all']),
  )
  for (const link of screen.getAllByRole('link')) {
    expect(document.querySelector(String(link.getAttribute('href')))).not.toBeNull()
  }
})

test('a page with one section has nothing to find', () => {
  render(page(['Models']))
  expect(links()).toEqual([])
})
