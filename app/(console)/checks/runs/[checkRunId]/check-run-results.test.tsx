import { render, screen, within } from '@testing-library/react'
import type { CheckResult, CheckRunDetail } from '@toolgate/server/runs/checks/schemas'
import { expect, test } from 'vitest'
import type { CheckVerdict } from '@/lib/protocol/check/check'
import { CheckRunResults } from './check-run-results'

const assertion = { type: 'tool-called', tool: 'fetch_logs', atLeast: 1 } as const

function tryOf(
  configuration: string,
  verdict: CheckVerdict | null,
  more: Partial<CheckResult> = {},
) {
  return {
    id: `${configuration}-1`,
    checkId: 'c1',
    checkName: 'Logs',
    configuration: { id: configuration, name: configuration, version: 2 },
    try: 1,
    runId: `run-${configuration}`,
    verdict,
    reason: '',
    judged: [],
    costMicroUsd: 300,
    durationMs: 1_200,
    ...more,
  } satisfies CheckResult
}

function show(results: CheckResult[], passedBefore: string[] = [], isSuite = false) {
  const checks = results.map(({ configuration, verdict }) => ({
    checkId: 'c1',
    checkName: 'Logs',
    configurationId: configuration.id,
    configurationName: configuration.name,
    verdict,
    tries: 1,
    passed: verdict === 'passed' ? 1 : 0,
    passes: 1,
    before: passedBefore.includes(configuration.id) ? ('passed' as const) : null,
    configurationVersion: 2,
    versionBefore: 1,
  }))
  const run = { results, checks, isSuite } as CheckRunDetail
  const earlier = checks.map(({ checkId, configurationId }) => {
    const isGreen = passedBefore.includes(configurationId)
    return {
      checkId,
      configurationId,
      passedRunId: isGreen ? `green-${configurationId}` : null,
      originalRunId: 'saved',
    }
  })
  const visible = new Set(results.flatMap(({ runId }) => runId ?? []))
  render(<CheckRunResults run={run} earlier={earlier} visible={visible} />)
}

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent)

test('what newly failed stands first, and what passed last', () => {
  show(
    [tryOf('A', 'passed'), tryOf('B', 'failed'), tryOf('C', 'not-run'), tryOf('D', 'failed')],
    ['D'],
  )
  expect(titles()).toEqual(['D, version 2', 'B, version 2', 'C, version 2', 'A, version 2'])
  expect(screen.getAllByText('Passed before')).toHaveLength(1)
})

test('a failed try says which assertion failed, and leads to its run and to the one that passed', () => {
  const sentence = 'fetch_logs was not called. The run called no tool.'
  show([tryOf('A', 'failed', { judged: [{ assertion, passed: false, sentence }] })], ['A'])
  expect(screen.getByText(sentence)).toBeVisible()
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(hrefs).toEqual(['/runs/saved', '/runs/run-A', '/runs/run-A/compare?with=green-A'])
})

test('a try that did not run says why, and one that waits says so', () => {
  show([
    tryOf('A', 'not-run', { runId: null, reason: 'Stopped by ada@example.org.' }),
    tryOf('B', null, { runId: null, judged: null }),
  ])
  const stopped = within(screen.getByRole('region', { name: /with A/ }))
  expect(stopped.getByText('Stopped by ada@example.org.')).toBeVisible()
  expect(stopped.queryByRole('link', { name: 'Open run' })).toBeNull()
  expect(screen.getByText('Waits for its turn')).toBeVisible()
})

test('a suite has a table of all, and below it what is red', () => {
  show([tryOf('A', 'passed'), tryOf('B', 'failed')], ['B'], true)
  const [head, row] = within(
    screen.getByRole('table', { name: 'Results of the suite' }),
  ).getAllByRole('row')
  expect(head).toHaveTextContent('CheckBA')
  expect(row).toHaveTextContent('LogsFailedPassed beforeversion 1 to 2Passedversion 1 to 2')
  expect(titles()).toEqual(['Logs, B, version 2'])
})
