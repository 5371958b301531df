import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminOverview } from '@/lib/doors/overview/read-admin-overview'
import type { OwnOverview } from '@/lib/doors/overview/read-own-overview'
import type { RunLine } from '@/lib/runs/lists/run-lines'
import { AdminView } from './admin-view'
import { OwnView } from './own-view'

const at = new Date('2026-04-16T00:00:00Z')
const spend = { calls: 0, costMicroUsd: 0, unpriced: 0, estimated: 0, atMost: 0 }

const nothing: AdminOverview = {
  at,
  gates: [],
  denials: [],
  dearest: [],
  slowest: [],
  waiting: {
    approvals: 0,
    definitions: 0,
    servers: 0,
    changedSkills: 0,
    missingSkills: 0,
    hosts: 0,
    failing: 0,
    paused: 0,
    needsAttention: 0,
    budgets: 0,
    unpriced: 0,
    stalePrices: 0,
    redChecks: 0,
    backupDays: 0,
    isBackupScheduled: false,
    consents: 0,
    blocked: 0,
    hasConfiguration: true,
    hasDemo: true,
    hasRun: true,
  },
  month: { spend, limitMicroUsd: null },
  days: [{ date: '2026-04-16', runs: 0, failed: 0 }],
}

const run: RunLine = {
  runId: 'r1',
  prompt: 'Read the log',
  status: 'ended',
  endReason: 'completed',
  notStarted: false,
  userEmail: 'ada@example.org',
  configurationName: 'Desk',
  costMicroUsd: 1_500_000,
  durationMs: 2_500,
  createdAt: at.toISOString(),
  waits: false,
  panel: null,
  costBound: 'exact',
  callTrouble: { failed: 0, denied: 2, timedOut: 0 },
}

const full: AdminOverview = {
  ...nothing,
  waiting: {
    ...nothing.waiting,
    approvals: 3,
    definitions: 5,
    servers: 2,
    failing: 1,
    budgets: 1,
    redChecks: 2,
    consents: 1,
    blocked: 2,
    unpriced: 1,
  },
  month: {
    spend: { ...spend, calls: 9, costMicroUsd: 12_400_000, unpriced: 2 },
    limitMicroUsd: 100_000_000,
  },
  days: [
    { date: '2026-04-15', runs: 3, failed: 1 },
    { date: '2026-04-16', runs: 2, failed: 0 },
  ],
  gates: [{ gate: 'rule', calls: 4, runs: 2 }],
  denials: [
    {
      runId: 'r1',
      callId: 'c 1',
      toolName: 'fetch_logs',
      gate: 'rule',
      userEmail: 'ada@example.org',
      reason: 'A rule refuses it.',
      at: at.toISOString(),
    },
  ],
  dearest: [run],
  slowest: [{ ...run, runId: 'r2', endReason: null, status: 'running', durationMs: null }],
}

const href = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

test('a new installation is led to its first model, and nothing else', () => {
  const waiting = { ...nothing.waiting, hasConfiguration: false, hasRun: false }
  render(<AdminView overview={{ ...nothing, waiting }} />)
  expect(href('Connect a model')).toBe('/connect')
  expect(href('Try the demo')).toBe('/playground')
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Connect a model',
    'Next',
  ])
})

test('without a model but with runs, connecting one comes first', () => {
  const waiting = { ...nothing.waiting, hasConfiguration: false, hasDemo: false }
  render(<AdminView overview={{ ...nothing, waiting }} />)
  const [first, second] = screen.getAllByRole('heading')
  expect(first).toHaveTextContent('Connect a model')
  expect(second).toHaveTextContent('Waiting for you')
  expect(screen.queryByText('Try the demo')).toBeNull()
})

test('an overview where nothing waits is one calm sentence, and each empty part says so', () => {
  render(<AdminView overview={nothing} />)
  expect(screen.getByText('Nothing is waiting for you.')).toBeVisible()
  expect(screen.getByText('No requests this month (UTC).')).toBeVisible()
  expect(screen.getByText(/No monthly budget/)).toBeVisible()
  expect(screen.getAllByText('None.')).toHaveLength(2)
  expect(screen.getByText('None cost anything.')).toBeVisible()
  expect(screen.getByText('No runs yet.')).toBeVisible()
  expect(screen.queryByRole('img')).toBeNull()
})

test('each number leads to its list', () => {
  render(<AdminView overview={full} />)
  expect(href('3 calls waiting for approval')).toBe('/approvals?who=me')
  expect(href('2 checks that did not pass')).toBe('/checks?state=red')
  expect(href('1 schedule asking to run as you')).toBe('/approvals#schedules')
  expect(href('2 schedules stopped or waiting for consent')).toBe('/schedules')
  expect(href('5 tools of 2 servers to review')).toBe('/servers?review=waiting')
  expect(href('1 failing connection')).toBe('/connections?state=failing')
  expect(href('1 budget at 80 % or more')).toBe('/budgets?used=80')
  expect(href('1 model in use without a price')).toBe('/models?price=missing')
  expect(screen.queryByText(/skill/)).toBeNull()
  expect(href('1 run with any failure')).toBe('/runs?period=30d&failure=any')
  expect(href('rules 4 calls in 2 runs')).toBe('/runs?period=7d&gate=rule')
  expect(href('Most expensive runs, 7 days')).toBe('/runs?period=7d&sort=-cost')
  expect(href('Slowest runs, 7 days')).toBe('/runs?period=7d&sort=-duration')
  expect(href('Spend this month')).toBe('/usage?period=this-month')
  expect(screen.getByText('A rule refuses it.')).toBeVisible()
  expect(href('fetch_logs')).toBe('/runs/r1#call-c%201')
})

test('the spend of the month stands beside its budget, with its pace and what it lacks', () => {
  render(<AdminView overview={full} />)
  const tile = screen.getByRole('region', { name: 'Spend this month' })
  expect(tile).toHaveTextContent('$12.40 of $100.00')
  expect(tile).toHaveTextContent('At this pace $24.80 this month (UTC).')
  expect(tile).toHaveTextContent('2 requests unpriced.')
})

test('a panel is one line that leads to it and says how many members it has', () => {
  const members = ['Fast', 'Slow'].map((name) => ({
    name,
    role: null,
    runId: name,
    endReason: 'completed' as const,
  }))
  const panel = { panelId: 'p1', status: 'ended' as const, members }
  render(<AdminView overview={{ ...full, dearest: [{ ...run, panel }], slowest: [] }} />)
  expect(href('Read the log')).toBe('/runs/panels/p1')
  const dearest = screen.getByRole('list', { name: 'Most expensive runs' })
  expect(dearest).toHaveTextContent('CompletedRead the log2 members$1.50')
})

test('a run with refused calls is never green, and one that goes on says so', () => {
  render(<AdminView overview={full} />)
  const dearest = screen.getByRole('list', { name: 'Most expensive runs' })
  expect(within(dearest).getByText('Completed · 2 denied')).toHaveClass('text-warning')
  expect(dearest).toHaveTextContent('$1.50')
  expect(screen.getByRole('list', { name: 'Slowest runs' })).toHaveTextContent('Running')
})

const own: OwnOverview = {
  at,
  approvals: 0,
  mine: 0,
  consents: 0,
  redChecks: 0,
  tasks: [],
  spend,
  budgets: [],
  canRun: true,
  newest: [],
}

test('a member without runs, tasks and budgets reads what each part is for', () => {
  render(<OwnView overview={own} />)
  expect(screen.getByText('Nothing is waiting for you.')).toBeVisible()
  expect(href('Run a prompt')).toBe('/playground')
  expect(screen.getByText(/^Saved prompts/)).toBeVisible()
  expect(screen.getByText(/No budget limits your runs/)).toBeVisible()
})

test('a member who may not run anything is told whom to ask', () => {
  render(<OwnView overview={{ ...own, canRun: false }} />)
  expect(screen.getByText(/Ask an admin to add you to a group/)).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Run a prompt' })).toBeNull()
})

test('a member sees their runs, tasks with Run, what waits, and what is left of budgets', () => {
  const task = { id: 't1', identifier: 'weekly', name: 'Weekly', description: 'A report' }
  const budget = {
    id: 'b1',
    title: 'You, per day',
    unit: 'requests' as const,
    amount: 100,
    spent: 40,
    left: 50,
    isUsedUp: false,
    refusesUnpriced: true,
    resetsAt: at.toISOString(),
    configurationId: null,
  }
  render(
    <OwnView
      overview={{
        ...own,
        approvals: 3,
        mine: 2,
        newest: [run],
        budgets: [budget],
        tasks: [{ ...task, configurationId: null }],
      }}
    />,
  )
  expect(href('2 calls waiting for your approval')).toBe('/approvals?who=me')
  expect(href('1 call waiting for somebody else')).toBe('/approvals')
  expect(href('Run Weekly')).toBe('/playground?task=t1')
  expect(href('Read the log')).toBe('/runs/r1')
  expect(href('Your spend this month')).toBe('/runs?usedFrom=2026-04-01T00%3A00%3A00.000Z')
  const budgets = screen.getByRole('list', { name: 'Your budgets' })
  expect(budgets).toHaveTextContent('40 requests of 100 requests · 50 %, 10 requests reserved')
})
