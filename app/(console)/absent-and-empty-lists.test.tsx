import { fireEvent, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { AuditEntry } from '@/components/audit/audit-entry'
import { auditDiff } from '@/lib/domains/audit/audit-diff'
import { runInput, runSnapshot } from '@/tests/support/run-fixture'
import { toPlanView } from './(admin)/settings/site-file/plan-view'
import { ListedTools } from './(admin)/skills/(list)/skill-list'
import { GrantChange } from './(admin)/skills/grant-change'
import { RunFacts, SkillsUsed } from './runs/[runId]/run-facts'

type Names = string[] | null

function audit(objectType: string, after: Record<string, Names>) {
  const entry = {
    id: 'e',
    at: '2026-11-22T02:39:20.162Z',
    actorId: null,
    actor: 'ada@example.org',
    action: `${objectType}.update`,
    objectType,
    objectId: 'o',
    reason: '',
    ipAddress: null,
    kind: 'change' as const,
    count: 1,
    lastAt: null,
    changes: auditDiff(null, after),
  }
  return <AuditEntry entry={entry} />
}

const started = (snapshot: Parameters<typeof runSnapshot>[0]) => ({
  ...runInput(),
  snapshot: runSnapshot(snapshot),
  accepted: [],
  rejected: [],
  nonce: 'n',
  canary: '',
})

const skill = (allowedTools: Names) => ({
  skillId: 's',
  name: 'read-logs',
  version: 1,
  description: '',
  checksum: '0'.repeat(64),
  allowedTools,
  body: '',
})

function runFacts(tools: Names, allowedToolGroups: Names) {
  const record = {
    runId: '019a0000-0000-7000-8000-000000000001',
    createdAt: '2026-11-22T02:39:20.162Z',
    source: 'console' as const,
    taskId: null,
    variables: {},
    tools,
  }
  const start = started({ allowedToolGroups })
  return <RunFacts record={record} start={start} by="Ada" admin={false} />
}

function plan(after: Names): ReactNode {
  const change = { field: 'allowedToolGroups', before: ['system'], after }
  const step = { type: 'update', kind: 'configurations', key: 'c', changes: [change] } as const
  const { steps } = toPlanView({
    steps: [{ ...step, changes: [change] }],
    onlyHere: [],
    problems: [],
    notices: [],
  })
  return steps[0]?.changes[0]?.after
}

const groups = ['all tool groups', 'no tool groups']
const picked = ['all tools', 'no tools']
const listed = ['not limited', 'no tools']

describe.each<[place: string, words: string[], show: (names: Names) => ReactNode]>([
  ['the audit of a run', picked, (tools) => audit('run', { tools })],
  [
    'the audit of a configuration',
    groups,
    (names) => audit('configuration', { allowedToolGroups: names }),
  ],
  ['the audit of a skill', listed, (allowedTools) => audit('skill', { allowedTools })],
  ['the audit of anything else', ['not set', 'none'], (names) => audit('user', { groups: names })],
  ['the tools picked for a run', picked, (names) => runFacts(names, ['system'])],
  ['the tool groups of a run', groups, (names) => runFacts(['fetch_logs'], names)],
  [
    'the skills of a run',
    listed,
    (names) => <SkillsUsed start={started({ skills: [skill(names)] })} />,
  ],
  ['the list of skills', listed, (names) => <ListedTools names={names} />],
  ['a change of a skill', listed, (names) => <GrantChange before={['a']} after={names} />],
  ['the plan of a site file', groups, plan],
])('%s', (_place, [absent, empty], show) => {
  test.each([
    [null, absent, empty],
    [[], empty, absent],
  ])('%j', async (names, said, unsaid) => {
    const { container } = render(show(names))
    for (const fold of container.querySelectorAll('summary')) fireEvent.click(fold)
    const text = () => container.textContent?.toLowerCase()
    await waitFor(() => expect(text()).toContain(said))
    expect(text()).not.toContain(unsaid)
  })
})
