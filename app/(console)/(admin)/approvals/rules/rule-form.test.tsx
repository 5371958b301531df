import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { updateObject } from '@/app/(console)/(admin)/resource-actions'
import { showInPage } from '@/tests/support/show-in-page'
import type { RuleChoices } from './read-choices'
import { emptyDraft, type RuleDraft } from './rule-draft'
import { RuleForm } from './rule-form'

beforeEach(() => {
  const error = { code: 'conflict', message: 'Not now.' }
  vi.mocked(updateObject).mockResolvedValue({ ok: false, error })
})

const choices: RuleChoices = {
  tools: [],
  servers: [],
  configurations: [],
  groups: [],
  apiKeys: [],
  person: null,
}
const draft: RuleDraft = { ...emptyDraft, name: 'Writes', toolGroup: 'files' }
const form = (updatedAt: string, initial: RuleDraft) => (
  <RuleForm stored={{ id: 'r1', updatedAt }} initial={initial} choices={choices} />
)

test.each([
  ['the version that its switch made', { ...draft, enabled: !draft.enabled }, 'after'],
  [
    'the version that it was filled from, when somebody else saved',
    { ...draft, name: 'X' },
    'before',
  ],
])('a rule is saved over %s', async (_, now, updatedAt) => {
  const { rerender } = showInPage(form('before', draft))
  expect(screen.queryByLabelText('Rule is on')).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' here')
  rerender(form('after', now))
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }))
  await waitFor(() => expect(updateObject).toHaveBeenCalledOnce())
  const sent = vi.mocked(updateObject).mock.calls[0]?.[1]
  expect(sent).toMatchObject({ id: 'r1', updatedAt, name: 'Writes here' })
  expect(sent).not.toHaveProperty('enabled')
})
