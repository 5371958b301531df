import type { ReactNode } from 'react'
import { PageHead } from '@/components/ui/page-head'
import { ViewTabs } from '@/components/ui/view-tabs'
import type { Role } from '@/lib/protocol/tool'

const views = {
  pending: { label: 'Pending', href: '/approvals', role: 'member' },
  decided: { label: 'Decided', href: '/approvals/decided', role: 'member' },
  rules: { label: 'Rules', href: '/approvals/rules', role: 'admin' },
} as const satisfies Record<string, { label: string; href: string; role: Role }>

/** Shows the heading of all views of approvals, with links between them. */
export function ApprovalsHead({
  current,
  role,
  action,
  children,
}: {
  current: keyof typeof views
  role: Role
  action?: ReactNode
  children: ReactNode
}) {
  const shown = Object.values(views).filter((each) => role === 'admin' || each.role === 'member')
  return (
    <>
      <PageHead title="Approvals" action={action}>
        {children}
      </PageHead>
      <ViewTabs label="Views of approvals" views={shown} current={views[current].href} />
    </>
  )
}
