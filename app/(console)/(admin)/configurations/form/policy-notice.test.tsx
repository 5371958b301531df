import { render, screen } from '@testing-library/react'
import type { PolicyEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { expect, test } from 'vitest'
import { PolicyNotice } from './policy-notice'

const after: PolicyEffect['after'] = {
  connectionName: 'Far',
  zone: 'external-global',
  own: 'content',
  limit: 'content',
}
const effect: PolicyEffect = {
  before: null,
  after,
  opens: [],
  closes: [],
  raiseLost: null,
  usable: 8,
  offered: 1,
}

test('says when runs would be offered no tool at all', () => {
  const { rerender } = render(<PolicyNotice effect={{ ...effect, offered: 0 }} />)
  expect(screen.getByRole('status')).toHaveTextContent('Runs are offered none of 8 tools')
  rerender(<PolicyNotice effect={effect} />)
  expect(screen.getByRole('status')).not.toHaveTextContent('Runs are offered none')
  expect(screen.getByRole('status')).toHaveTextContent(
    'Runs may send data up to content. The lowest trust zone decides: Far, external, global.',
  )
})

test('a raised limit is not said to be that of the trust zone', () => {
  render(<PolicyNotice effect={{ ...effect, after: { ...after, limit: 'diagnostics' } }} />)
  const notice = screen.getByRole('status')
  expect(notice).toHaveTextContent(
    'The zone of Far allows up to content. An admin raised it to diagnostics.',
  )
  expect(notice).not.toHaveTextContent('The lowest trust zone decides')
})
