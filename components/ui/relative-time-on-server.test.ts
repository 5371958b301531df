import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RelativeTime } from './relative-time'

test('the server says it as the page will, so that nothing moves when the page begins to listen', () => {
  const time = createElement(RelativeTime, { at: Date.now() - 3_650_000 })
  expect(renderToString(time)).toContain('>1 hour ago</time>')
})
