import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { runInput, runSnapshot } from '@/tests/support/run-fixture'
import { SkillsUsed } from './run-facts'

const skill = {
  skillId: 's',
  name: 'read-logs',
  version: 3,
  description: '',
  checksum: '0123456789abcdef'.repeat(4),
  allowedTools: ['fetch_logs', 'no\u202esuch'],
  body: 'Begin with the newest.',
}
const started = (skills: (typeof skill)[]) => ({
  ...runInput(),
  snapshot: runSnapshot({ skills }),
  accepted: [],
  rejected: [],
  nonce: 'n0nce',
  canary: '',
})

test('a run says which skills it had, and what the model saw of them', async () => {
  render(<SkillsUsed start={started([skill])} />)
  await userEvent.click(screen.getByText('Skills (1)'))
  expect(await screen.findByRole('listitem')).toHaveTextContent(
    'read-logs version 3, SHA-256 0123456789ab, allowed tools: fetch_logs, noU+202Esuch',
  )
  expect(screen.getByText(/<untrusted-n0nce skill="read-logs">/)).toHaveTextContent(
    'Begin with the newest.',
  )
})

test('a run without skills says nothing of them', () => {
  const { container } = render(<SkillsUsed start={started([])} />)
  expect(container).toBeEmptyDOMElement()
})
