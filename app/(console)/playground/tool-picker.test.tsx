import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Role } from '@/lib/protocol/tool'
import { ToolPicker } from './tool-picker'

function explainLink(role: Role, configurationId: string | null) {
  const { unmount } = render(
    <ToolPicker
      tools={[]}
      pending={false}
      problem={null}
      picked={null}
      role={role}
      about={{ configurationId, userId: 'u1' }}
      onPick={() => undefined}
    />,
  )
  const href = screen.queryByRole('link', { name: /Explain/ })?.getAttribute('href')
  unmount()
  return href
}

test('links admins to the same explanation for another person', () => {
  expect(explainLink('admin', 'c1')).toBe('/tools/explain?user=u1&configuration=c1')
  expect(explainLink('admin', null)).toBe('/tools/explain?user=u1&configuration=none')
  expect(explainLink('member', 'c1')).toBeUndefined()
})
