import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { OpenedTrial, TrialList } from './trial-list'

const kept = {
  id: 't1',
  change: 'list_users off',
  days: 30,
  configuration: null,
  group: null,
  lost: 0,
  by: 'Ada',
  createdAt: '2026-01-01T00:00:00Z',
  changed: 1,
  replayed: 2,
}

test('a result after which nobody could approve some calls is marked', () => {
  showInPage(
    <TrialList
      trials={[kept, { ...kept, id: 't2', change: 'Four eyes on', lost: 1 }]}
      opened="t2"
    />,
  )
  const [plain, lost] = screen.getAllByRole('listitem')
  const mark = 'Nobody could approve some calls.'
  expect(plain).not.toHaveTextContent(mark)
  expect(lost).toHaveTextContent(`Four eyes on${mark} 1 of 2 runs changed, tried by Ada`)
  const link = within(lost ?? document.body).getByRole('link', { name: 'Four eyes on' })
  expect(link).toHaveAttribute('aria-current', 'true')
  expect(link).toHaveAttribute('href', '/tools/try-change?trial=t2#result')
})

test('a result that is no longer kept says so', () => {
  showInPage(<OpenedTrial opened={null} />)
  expect(screen.getByText('No result')).toBeVisible()
  expect(
    screen.getByText('This result is no longer kept. Results stay for 24 hours.'),
  ).toBeVisible()
})

test('a kept result shows its figures, and the sentences about calls that nobody could approve', () => {
  const sentence = 'After this change, nobody can approve list_users of Fast by Ada.'
  const trial = {
    found: 2,
    replayed: 2,
    changed: 1,
    noted: 0,
    changedToday: 0,
    baseline: 0,
    unreplayable: [],
    runs: [],
    waysOut: [sentence],
  }
  showInPage(<OpenedTrial opened={{ kept: { ...kept, lost: 1 }, trial }} />)
  expect(screen.getByText(sentence)).toBeVisible()
  expect(screen.getByText(/^1 of 2 runs of the last 30 days/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Close' })).toHaveAttribute('href', '/tools/try-change')
})
