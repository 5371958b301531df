import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Assertion } from '@/lib/protocol/check/assertion'
import { AssertionList, JudgedAssertions } from './assertion-list'

const called: Assertion = { type: 'tool-called', tool: 'fetch_logs', atLeast: 1 }
const ended: Assertion = { type: 'end-reason', reason: 'completed' }

test('assertions are listed in words, also the same one twice', () => {
  render(<AssertionList assertions={[called, called, ended]} />)
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Calls fetch_logs at least once',
    'Calls fetch_logs at least once',
    'Ends with “Completed”',
  ])
})

test('a failed assertion says what happened', () => {
  const sentence = 'fetch_logs was not called. The run called no tool.'
  render(
    <JudgedAssertions
      judged={[
        { assertion: called, passed: false, sentence },
        { assertion: ended, passed: true, sentence: 'The run ended with “Completed”.' },
      ]}
      visible={new Set()}
    />,
  )
  expect(screen.getByText('1 of 2 assertions failed.')).toBeVisible()
  const [first, second] = screen.getAllByRole('listitem')
  if (!first || !second) throw new Error('There are two rows.')
  expect(within(first).getByText('Failed')).toBeVisible()
  expect(within(first).getByText(sentence)).toBeVisible()
  expect(within(second).getByText('Passed')).toBeVisible()
})

test('without a judged assertion it says so', () => {
  render(<JudgedAssertions judged={[]} visible={new Set()} />)
  expect(screen.getByText('No assertion was judged.')).toBeVisible()
  expect(screen.queryByRole('list')).toBeNull()
})

const judge: Assertion = { type: 'judge', configuration: 'fast', rubric: 'It is short.' }

test('a judge that gave no verdict says why and leads to its run, and one that was not asked is no failure', () => {
  render(
    <JudgedAssertions
      judged={[
        {
          assertion: judge,
          passed: false,
          sentence: 'Not judged: The run of the judge ended with “Budget”.',
          judge: { verdict: 'not-judged', runId: 'r1' },
        },
        {
          assertion: judge,
          passed: false,
          sentence: 'Not asked, because the try is red already.',
          judge: { verdict: 'not-asked', runId: null },
        },
      ]}
      visible={new Set(['r1'])}
    />,
  )
  expect(screen.getByText('1 of 2 assertions failed.')).toBeVisible()
  expect(screen.getByText('Not judged')).toBeVisible()
  expect(screen.getByText('Not asked')).toBeVisible()
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/runs/r1'])
})
