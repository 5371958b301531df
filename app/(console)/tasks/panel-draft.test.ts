import { expect, test } from 'vitest'
import { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { membersFor, noPanel, panelDraftOf, panelFieldOf, toPanel, withMember } from './panel-draft'

const cap = { mode: 'enforce', limitMicroUsd: 50_000 } as const
const panels = {
  'a comparison': {
    kind: 'confer',
    configurations: ['fast', 'careful'],
    tools: ['fetch_url'],
    hops: 4,
    memberCostCap: cap,
  },
  'a coordination': {
    kind: 'coordinate',
    tools: [],
    proposer: { configuration: null, instructions: 'Plan.', hops: 5, costCap: cap },
    critics: [
      { configuration: 'fast', instructions: null, hops: 2, costCap: null },
      { configuration: 'careful', instructions: 'Object.', hops: 3, costCap: null },
    ],
    synthesizer: { configuration: null, instructions: null, costCap: cap },
  },
} as const

test.each(Object.entries(panels))('%s is sent as it was stored', (_, panel) => {
  const stored = TaskPanel.parse(panel)
  expect(TaskPanel.parse(toPanel(panelDraftOf(stored)))).toEqual(stored)
})

test('one run has no panel, and the members of another kind stay while it is picked', () => {
  expect(panelDraftOf(null)).toEqual(noPanel)
  expect(
    toPanel({ ...panelDraftOf(TaskPanel.parse(panels['a comparison'])), kind: 'run' }),
  ).toBeNull()
  const members = membersFor('coordinate', [])
  expect(members.map(({ key }) => key)).toEqual([0, 1, 2])
  const more = withMember({ kind: 'coordinate', members })
  expect(more.map(({ key }) => key)).toEqual([0, 1, 3, 2])
  expect(membersFor('run', more)).toBe(more)
})

test('a figure that is none is refused, and each error is shown where it can be mended', () => {
  const draft = panelDraftOf(TaskPanel.parse(panels['a coordination']))
  const [proposer, ...others] = draft.members
  if (!proposer) throw new Error('There is no proposer.')
  const members = [{ ...proposer, hops: 'many' }, ...others]
  const { error } = TaskPanel.safeParse(toPanel({ ...draft, members }))
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['proposer.hops'])
  expect(
    ['panel.proposer.hops', 'panel.critics.1.costCap.limitMicroUsd', 'panel.critics.0'].map(
      panelFieldOf,
    ),
  ).toEqual(['panel.members.0.hops', 'panel.members.2.cap', 'panel.members.1.configuration'])
  expect(['panel.configurations.1', 'panel.memberCostCap', 'panel'].map(panelFieldOf)).toEqual([
    'panel.members.1.configuration',
    'panel.cap',
    'panel.kind',
  ])
})
