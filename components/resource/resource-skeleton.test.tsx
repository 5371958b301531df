import { render, screen } from '@testing-library/react'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { expect, test } from 'vitest'
import { ResourceSkeleton } from './resource-skeleton'

test.each([
  ['/resources/hosts', 'Loading the list'],
  ['/schedules', 'Loading the list'],
  ['/resources/hosts/01890000-0000-7000-8000-000000000000', 'Loading the page'],
])('%s announces "%s"', (pathname, words) => {
  render(
    <PathnameContext value={pathname}>
      <ResourceSkeleton />
    </PathnameContext>,
  )
  expect(screen.getByRole('status')).toHaveTextContent(words)
})
