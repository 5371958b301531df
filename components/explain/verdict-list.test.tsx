import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ApprovalNote } from '@/lib/engines/runtime/policy/approval-note'
import { type ExplainedTool, VerdictList } from './verdict-list'

const refused: ExplainedTool = {
  name: 'fetch_logs',
  group: 'system',
  verdict: { allowed: false, gate: 'role', reason: 'Only admins may use this tool.' },
  approval: null,
}
const allowed: ExplainedTool = {
  name: 'read_asset_meta',
  group: 'assets',
  verdict: { allowed: true },
  approval: null,
}

test('says why a tool is denied and the way to change it, and once which gates are asked', () => {
  const about = { configurationId: 'c1', userId: 'u1' }
  render(<VerdictList tools={[refused, allowed]} about={about} />)
  const system = within(screen.getByRole('region', { name: 'system' }))
  expect(system.getByText('Denied')).toBeVisible()
  expect(system.getByText('Only admins may use this tool.')).toBeVisible()
  expect(system.getByText('Role:')).toBeVisible()
  expect(system.getByRole('link', { name: 'See it under Users' })).toHaveAttribute(
    'href',
    '/users/u1',
  )
  const assets = within(screen.getByRole('region', { name: 'assets' }))
  expect(assets.getByText('Allowed')).toBeVisible()
  expect(assets.queryByRole('link')).toBeNull()
  expect(
    screen.getByText(
      /^Gates in order, until one denies: installed, site not frozen, group on, switched on, role allowed, /,
    ),
  ).toBeVisible()
})

test('tools of a group of which the same is to say stand in one row', () => {
  const other = { ...refused, name: 'get_env' }
  const own = { ...refused, name: 'exec', verdict: { ...refused.verdict, reason: 'Too risky.' } }
  const about = { configurationId: 'c1', userId: 'u1' }
  render(<VerdictList tools={[refused, own, other]} about={about} />)
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows).toEqual([
    expect.stringMatching(/^fetch_logsget_envDenied.*Only admins may use this tool\./),
    expect.stringMatching(/^execDenied.*Too risky\./),
  ])
})

test('a configuration that is closed to somebody leads to who may use it', () => {
  const reason = 'kim@example.org is in no group that may use it.'
  const verdict = { allowed: false, gate: 'configuration', part: 'audience', reason } as const
  const about = { configurationId: 'c1', userId: 'u1' }
  render(<VerdictList tools={[{ ...refused, verdict }]} about={about} />)
  expect(screen.getByRole('link')).toHaveAttribute('href', '/configurations/c1#audience')
})

test('says that calls wait, and which gates were not asked without a configuration', () => {
  const words = 'Each call waits for approval because of the rule "Deploys".'
  const about = { configurationId: null, userId: 'u1' }
  const approval = { always: true, sentences: [{ words, cause: { type: 'rules' } as const }] }
  const { rerender } = render(<VerdictList tools={[{ ...allowed, approval }]} about={about} />)
  expect(screen.queryByText('Allowed')).toBeNull()
  expect(screen.getByText('Needs approval')).toBeVisible()
  expect(screen.getByText(words)).toBeVisible()
  expect(screen.getByRole('link')).toHaveAttribute('href', '/approvals/rules')
  const unasked =
    'Gates not asked, because no configuration is picked: configuration, trust zone, skills, rules.'
  expect(screen.getByText(unasked)).toBeInTheDocument()
  rerender(<VerdictList tools={[allowed]} about={{ ...about, configurationId: 'c1' }} />)
  expect(screen.queryByText(unasked)).toBeNull()
})

test('each sentence about approvals leads to what it is about', () => {
  const sentences: ApprovalNote['sentences'] = [
    { words: 'A rule asks.', cause: { type: 'rule', id: 'r1' } },
    { words: 'The tool asks.', cause: { type: 'tool' } },
    { words: 'The configuration refuses.', cause: { type: 'configuration', id: 'c1' } },
  ]
  const approval = { always: true, sentences }
  const about = { configurationId: 'c1', userId: 'u1' }
  render(<VerdictList tools={[{ ...allowed, approval }]} about={about} />)
  const links = screen.getAllByRole('link')
  expect(links.map((link) => link.parentElement?.textContent)).toEqual([
    'A rule asks. See the rule',
    'The tool asks. See it under Tools',
    'The configuration refuses. See it under Configurations',
  ])
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/approvals/rules/r1',
    '/tools/read_asset_meta#approval',
    '/configurations/c1#approvals',
  ])
})
