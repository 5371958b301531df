import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { Times, TimesPreview } from './schedule-times'

test('says when a schedule runs, and shows an expression without words as it is', () => {
  showInPage(
    <>
      <Times schedule={{ cron: '0 8 * * 1-5', timeZone: 'Europe/Berlin' }} />
      <Times schedule={{ cron: '*/7 * * * *', timeZone: 'UTC' }} />
    </>,
  )
  expect(screen.getByText('At 08:00, Monday through Friday, Europe/Berlin')).toBeInTheDocument()
  expect(screen.getByText('*/7 * * * * UTC')).toBeInTheDocument()
})

test.each([
  ['0 8 * * 1-5', 'UTC', /^At 08:00, Monday through Friday, UTC\. Next: .+ on your clock, .+\.$/],
  ['*/7 * * * *', 'UTC', /^\*\/7 \* \* \* \* UTC\. Next: /],
  ['61 8 * * 1-5', 'UTC', /^A field has a value that it cannot have/],
  ['0 8 *', 'UTC', /^$/],
  ['', 'UTC', /^$/],
  ['0 8 * * *', 'Europe/Berl', /^$/],
])('of %j in %s, the preview is %s', (cron, timeZone, words) => {
  showInPage(
    <div data-testid="preview">
      <TimesPreview cron={cron} timeZone={timeZone} />
    </div>,
  )
  expect(screen.getByTestId('preview').textContent).toMatch(words)
})
